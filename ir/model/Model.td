// The model dialect: what is computed, over named dimensions. Nothing here says when or where.
#ifndef WEFT_IR_MODEL
#define WEFT_IR_MODEL

include "ir/model/ModelDeclarations.td"
include "ir/model/ModelElementwise.td"
include "ir/model/ModelIdioms.td"
include "ir/model/ModelMovement.td"
include "ir/model/ModelProgram.td"

#endif // WEFT_IR_MODEL
