// Carries the precompiled header; every library reuses it.
