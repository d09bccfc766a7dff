import assert from "node:assert/strict";
import { choosePrivateWay, chooseWay, NoRabbitmqError, type Surroundings } from "./ways.ts";

const everything: Surroundings = {
  testAmqpUrl: "amqp://127.0.0.1:5672",
  installedServer: () => Promise.resolve("/opt/rabbitmq-server"),
  canInstall: () => Promise.resolve(true),
  dockerAnswers: () => Promise.resolve(true),
};
const notGiven: Surroundings = { ...everything, testAmqpUrl: undefined };
const notInstalled: Surroundings = { ...notGiven, installedServer: () => Promise.resolve(undefined) };
const notInstallable: Surroundings = { ...notInstalled, canInstall: () => Promise.resolve(false) };
const nothing: Surroundings = { ...notInstallable, dockerAnswers: () => Promise.resolve(false) };

Deno.test("chooseWay takes the RabbitMQ that was given before all others", async () => {
  assert.deepEqual(await chooseWay(everything), { kind: "given", url: "amqp://127.0.0.1:5672" });
});

Deno.test("chooseWay takes an installed RabbitMQ where none was given", async () => {
  assert.deepEqual(await chooseWay(notGiven), { kind: "installed", server: "/opt/rabbitmq-server" });
});

Deno.test("chooseWay takes an empty TEST_AMQP_URL for none", async () => {
  assert.deepEqual(await chooseWay({ ...notInstalled, testAmqpUrl: "" }), { kind: "install" });
});

Deno.test("chooseWay installs RabbitMQ where none is and packages can be installed", async () => {
  assert.deepEqual(await chooseWay(notInstalled), { kind: "install" });
});

Deno.test("chooseWay takes Docker where nothing else is left", async () => {
  assert.deepEqual(await chooseWay(notInstallable), { kind: "docker" });
});

Deno.test("chooseWay throws where no way is open, and says what to set and what to install", async () => {
  await assert.rejects(chooseWay(nothing), (error) => {
    assert.ok(error instanceof NoRabbitmqError);
    for (const hint of ["TEST_AMQP_URL", "apt-get install rabbitmq-server", "Docker"]) {
      assert.ok(error.message.includes(hint), hint);
    }
    return true;
  });
});

Deno.test("chooseWay does not look further than the first way that is open", async () => {
  const tooFar = () => Promise.reject(new Error("looked too far"));
  await chooseWay({ ...everything, installedServer: tooFar, canInstall: tooFar, dockerAnswers: tooFar });
  await chooseWay({ ...notGiven, canInstall: tooFar, dockerAnswers: tooFar });
  await chooseWay({ ...notInstalled, dockerAnswers: tooFar });
});

Deno.test("choosePrivateWay leaves the RabbitMQ that was given alone", async () => {
  assert.deepEqual(await choosePrivateWay(everything), { kind: "installed", server: "/opt/rabbitmq-server" });
});

Deno.test("choosePrivateWay names the failure of an earlier way as the error's cause", async () => {
  const cause = new Error("apt-get failed");
  await assert.rejects(choosePrivateWay(nothing, { cause }), { name: "NoRabbitmqError", cause });
});
