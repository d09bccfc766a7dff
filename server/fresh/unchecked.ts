/**
 * What the compiler has to be told here, because Fresh's API promises types of what the program cannot look at.
 *
 * @module
 */

/** The state of a request before its middlewares have filled it: Fresh declares it filled from the start. */
export function emptyState<State>(): State {
  // deno-lint-ignore house/no-cast -- the State type says what middlewares will have put there
  return {} as State;
}

/** What a handler gave to its page: `define.page<typeof handler>` checks it where both are written. */
export function dataOfPage(data: unknown): never {
  // deno-lint-ignore house/no-cast -- see above
  return data as never;
}
