import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { shortenErrors, shortServiceErrors } from '../../../infra/build/short-service-errors.ts';

const projectRoot = fileURLToPath(new URL('../../..', import.meta.url));
const sourceOf = (client: string): string =>
  path.join(projectRoot, 'node_modules/@aws-sdk', client, 'dist-es/models/errors.js');

type ErrorClass = (new (options: object) => Error) & { shapeId: string };

async function loadErrors(client: string, plugins: Plugin[]): Promise<Record<string, ErrorClass>> {
  const { outputFiles } = await build({
    entryPoints: [sourceOf(client)],
    bundle: true,
    format: 'cjs',
    platform: 'node',
    write: false,
    plugins,
  });
  const module: { exports: Record<string, ErrorClass> } = { exports: {} };
  new Function('module', 'exports', 'require', outputFiles[0]?.text ?? '')(
    module,
    module.exports,
    createRequire(import.meta.url),
  );
  return { ...module.exports };
}

const options = {
  $metadata: { httpStatusCode: 400 },
  message: 'a message',
  Message: 'another message',
  Item: { pk: { S: 'a' } },
  CancellationReasons: [{ Code: 'None' }],
  ThrottlingReasons: [{ reason: 'TableReadKeyRangeThroughputExceeded' }],
};
const describeError = (Type: ErrorClass, given: object) => {
  const error = new Type(given);
  return {
    ...{ shapeId: Type.shapeId, name: error.name, message: error.message, isError: error instanceof Error },
    isOwn: Object.getPrototypeOf(error) === Type.prototype,
    fields: Object.entries(error).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  };
};

describe.each(['dynamodb', 'eventbridge', 'kms', 'secrets-manager', 'sesv2', 'sqs'])('the errors of %s', (service) => {
  test('are the same classes, in less than half of the bytes', async () => {
    const client = `client-${service}`;
    const [original, short] = [await loadErrors(client, []), await loadErrors(client, [shortServiceErrors])];
    expect(Object.keys(short).toSorted()).toEqual(Object.keys(original).toSorted());
    expect(Object.keys(short).length).toBeGreaterThan(10);
    for (const [name, Type] of Object.entries(original))
      for (const given of [options, { message: 'only this', $metadata: {} }])
        expect(short[name] && describeError(short[name], given)).toEqual(describeError(Type, given));
    const source = readFileSync(sourceOf(client), 'utf8');
    expect(shortenErrors(source, client).length).toBeLessThan(source.length / 2);
  });
});

test('a client with other code in its errors cannot be bundled', () => {
  const source = readFileSync(sourceOf('client-sqs'), 'utf8');
  const changes: [string, string][] = [
    ['$fault = "client";', '$fault = "client";\n    isNew = true;'],
    ['...opts,', '...opts,\n            more: 1,'],
    ['import {', 'import { other } from "./other";\nimport {'],
  ];
  for (const [before, after] of changes)
    expect(() => shortenErrors(source.replace(before, after), 'sqs')).toThrow('sqs has other code');
  expect(() => shortenErrors(`${source}export const more = 1;\n`, 'sqs')).toThrow('"export const more = 1;');
});
