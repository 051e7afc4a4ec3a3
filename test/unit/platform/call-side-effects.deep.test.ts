// What a process that makes calls leaves behind: not a word of their input, and nothing that keeps it from ending.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { answer, hangUp, refuse, type Step, scriptedServer } from './scripted-server.ts';

/** A process of its own: what the SDK logs with was taken from the console when it was loaded, before a test can listen to it. */
async function putting(endpoint: string, timeoutMs: number) {
  const program = `
    import { PutItemCommand } from '@aws-sdk/client-dynamodb';
    import { testDynamoDb } from ${JSON.stringify(new URL('./clients.ts', import.meta.url).href)};
    const client = testDynamoDb(${JSON.stringify(endpoint)}, { timeoutMs: ${timeoutMs} });
    await client.send(new PutItemCommand({ TableName: 'daybook', Item: { pk: { S: 'heart' } } })).catch(() => {});`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 20_000,
  });
  const [said, complained, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code, said: said + complained };
}

test.each<[string, Step]>([
  ['succeeds', answer(200, {})],
  ['is refused', refuse('ValidationException')],
  ['is lost', hangUp],
])('a call that %s is not logged, and its time limit ends with it', async (_what, step) => {
  await using server = await scriptedServer(step);
  expect(await putting(server.endpoint, 60_000)).toEqual({ code: 0, said: '' });
});
