/** What hosts of code have in common, so that a consumer can bind to all of them at once. */
import { gitCommitShape, gitPushShape } from "@inlet/events-core";
import assert from "node:assert/strict";
import { z } from "zod";
import { gitea } from "../connectors/gitea/mod.ts";
import { github } from "../connectors/github/mod.ts";
import { gitlab } from "../connectors/gitlab/mod.ts";

const schemaNode = z.object({
  description: z.string().optional(),
  properties: z.record(z.string(), z.unknown()).default({}),
  required: z.array(z.string()).default([]),
  items: z.unknown().optional(),
  anyOf: z.array(z.unknown()).default([]),
});

const schemasOf = ({ payloads }: typeof github) =>
  Object.entries(payloads).map(([type, schema]) => [type, z.toJSONSchema(schema)] as const);

/** Every field of a JSON Schema, those of fields among them. */
function fieldsOf(schema: unknown, path = ""): { path: string; described: boolean }[] {
  if (schema === undefined) return [];
  const { properties, items, anyOf } = schemaNode.parse(schema);
  return [
    ...Object.entries(properties).flatMap(([name, field]) => [
      { path: `${path}/${name}`, described: schemaNode.parse(field).description !== undefined },
      ...fieldsOf(field, `${path}/${name}`),
    ]),
    ...[items, ...anyOf].flatMap((inner) => fieldsOf(inner, path)),
  ];
}

for (const host of [github, gitlab, gitea]) {
  const { id } = host.manifest;
  const schemas = new Map(schemasOf(host));
  const has = (type: string, fields: readonly string[]) => {
    const { required } = schemaNode.parse(schemas.get(`${id}.${type}`) ?? assert.fail(type));
    for (const field of fields) assert.ok(required.includes(field), `${type} has no ${field}`);
  };

  Deno.test(`${id} tells commits, branches and tags with the fields that every host of code has`, () => {
    has("commit.pushed", [...Object.keys(gitCommitShape), ...Object.keys(gitPushShape), "repository"]);
    for (const what of ["branch", "tag"]) {
      for (const action of ["created", "deleted", "updated"]) {
        has(`${what}.${action}`, [...Object.keys(gitPushShape), "repository"]);
      }
    }
  });

  Deno.test(`${id} tells pull requests, issues, comments and releases under the same names`, () => {
    has("pr.opened", ["pullRequest", "repository"]);
    has("pr.closed", ["pullRequest", "repository"]);
    has("issue.opened", ["issue", "repository"]);
    has("issue_comment.created", ["comment", "repository"]);
    has("release.deleted", ["release", "repository"]);
  });
}

for (const host of [gitlab, gitea]) {
  Deno.test(`${host.manifest.id}: each field of a payload says what it is, to who reads the schema`, () => {
    const bare = schemasOf(host).flatMap(([type, schema]) =>
      fieldsOf(schema).filter(({ described }) => !described).map(({ path }) => `${type}${path}`)
    );
    assert.deepEqual(bare, []);
  });
}
