/* linked.c: two models linked into one program by the names that their builds gave them: prints the
 * facts of both. */
#include "weft.h"

#include <stdio.h>

const WeftApi *small_weft_api(void);
const WeftApi *large_weft_api(void);

int main(void) {
  const WeftApi *tables[] = {small_weft_api(), large_weft_api()};
  for (int i = 0; i < 2; ++i) {
    WeftModel *model = tables[i]->open(NULL);
    if (!model) {
      fprintf(stderr, "%s\n", tables[i]->error());
      return 1;
    }
    printf("%s\n", tables[i]->facts(model));
    tables[i]->close(model);
  }
  return 0;
}
