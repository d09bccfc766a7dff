/**
 * Lint rules of the house, as a plugin for `deno lint`. House rules that need more than one file are in
 * `scripts/house_rules.ts`.
 *
 * @module
 */

const HINT = "Parse what comes from outside with a schema, or narrow the type with a check or a type predicate. " +
  '"as const" and "satisfies" are fine.';

function isConst(type: Deno.lint.TypeNode): boolean {
  return type.type === "TSTypeReference" && type.typeName.type === "Identifier" && type.typeName.name === "const";
}

/** Forbids casts, `x as T` and `<T>x`, which make the compiler believe what nobody has checked. */
const noCast: Deno.lint.Rule = {
  create(context) {
    const check = (node: Deno.lint.TSAsExpression | Deno.lint.TSTypeAssertion) => {
      if (isConst(node.typeAnnotation)) return;
      const type = context.sourceCode.getText(node.typeAnnotation);
      context.report({ node, message: `Cannot cast to ${type}: nothing checks that it is one`, hint: HINT });
    };
    return { TSAsExpression: check, TSTypeAssertion: check };
  },
};

/** The rules `house/*`; listed under `lint.plugins` in `deno.json`. */
const plugin: Deno.lint.Plugin = { name: "house", rules: { "no-cast": noCast } };

export default plugin;
