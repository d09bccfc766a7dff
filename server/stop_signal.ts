/**
 * What SIGINT and SIGTERM do, as soon as this is loaded: to be imported ahead of what starts the service. A container's
 * first process gets no signal that it has no handler for (pid_namespaces(7)).
 *
 * @module
 */

/** While the service starts, there is nothing to be stopped in good order. */
let act: () => void = () => Deno.exit(0);

for (const signal of ["SIGINT", "SIGTERM"] as const) Deno.addSignalListener(signal, () => act());

/** Has the first SIGINT or SIGTERM from now on call `stop`. */
export function onStopSignal(stop: () => void): void {
  act = () => {
    // A terminal signals the whole group, and a task runner passes its own on: the second is not another wish.
    act = () => {};
    stop();
  };
}
