// Carries a precompiled header, of which targets reuse what was made.
