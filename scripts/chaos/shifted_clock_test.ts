import assert from "node:assert/strict";

const PROGRAM = `
const start = Date.now();
const jump = async () => {
  const before = Date.now();
  Deno.kill(Deno.pid, "SIGUSR2");
  while (Math.abs(Date.now() - before) < 1_000_000) await new Promise((resolve) => setTimeout(resolve, 5));
  return Math.round((new Date().getTime() - start) / 3_600_000);
};
const hours = [await jump(), await jump(), await jump()];
console.log(JSON.stringify([hours, new Date(5).getTime(), new Date() instanceof Date, typeof Date()]));
Deno.exit(0);
`;

Deno.test("the shifted clock goes an hour ahead, an hour behind, and right again; other dates are as ever", async () => {
  const preload = `--preload=${new URL("shifted_clock.ts", import.meta.url).href}`;
  const main = `data:application/javascript,${encodeURIComponent(PROGRAM)}`;
  const args = ["run", "--allow-run", preload, main];
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), { args, env: { NO_COLOR: "1" } }).output();
  const text = new TextDecoder();
  assert.equal(text.decode(stdout), '[[1,-1,0],5,true,"string"]\n', text.decode(stderr));
});
