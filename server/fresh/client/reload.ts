/**
 * Reloads the page when the server has started anew: pages load it in development.
 *
 * @module
 */
let known: string | undefined;

setInterval(async () => {
  const answer = await fetch(new URL("alive", import.meta.url)).catch(() => undefined);
  if (answer?.ok !== true) return; // It is starting.
  const running = await answer.text();
  if (known !== undefined && known !== running) location.reload();
  known = running;
}, 500);
