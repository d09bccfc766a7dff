/** Reads deliveries and answers at once: shows what the load generator can do. */
const answer = JSON.stringify({ ok: true, published: 1 });

Deno.serve({ hostname: "127.0.0.1", port: Number(Deno.env.get("PORT")) }, async (request) => {
  await request.bytes();
  return new Response(answer);
});
