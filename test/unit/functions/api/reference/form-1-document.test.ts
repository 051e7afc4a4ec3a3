// The description of the Form 1 document matches the operations below it.
import { expect, test } from 'vitest';
import { referenceApi } from '../../../../../functions/api/reference/app.ts';
import { scoreTable } from '../../../../../shared/catalog/score-table.ts';
import { requestInProcess } from '../../../../harness/in-process-request.ts';
import { memoryDeps } from '../../../../harness/memory-deps.ts';

const api = referenceApi(memoryDeps().deps);
const response = await requestInProcess(api, '/openapi.form1.json');
const { info, paths, components, tags } = JSON.parse(await response.text());
const form2Document = JSON.parse(await (await requestInProcess(api, '/openapi.json')).text());
const parametersOf = (path: string): string[] => paths[path].get.parameters.map(({ name }: { name: string }) => name);

test('the document has its own title and first says how an account gets Form 1, with a valid command', () => {
  expect([form2Document.info.title, info.title]).toEqual(['Daybook', 'Daybook, Form 1']);
  const [command = ''] = /(?<=^[^.]*`)npm run -s daybook -- [^`]+(?=`)/.exec(info.description) ?? [];
  expect(command).toMatch(/^npm run -s daybook -- accounts create --name "[^"]+" --form 1$/);
});

test('each document names its scores, and Form 1 names one more', () => {
  const scoresDescription = (some: { name: string; description: string }[]) =>
    some.find(({ name }) => name === 'Scores')?.description.toLowerCase() ?? '';
  for (const { id, inForm2 } of scoreTable) {
    const scoreName = id.replace(/_score$/, '').replaceAll('_', ' ');
    expect(scoresDescription(tags)).toContain(scoreName);
    expect([id, scoresDescription(form2Document.tags).includes(scoreName)]).toEqual([id, inForm2]);
  }
});

test('the lists that it calls numbered are numbered, and the others are paged by a cursor', () => {
  expect(info.description).toMatch(
    /Users and workouts are returned in numbered pages .* earliest first, with the exact `meta.total`/,
  );
  for (const path of ['/v1/users', '/v1/users/{user_id}/workouts'])
    expect(parametersOf(path)).toEqual(expect.arrayContaining(['page', 'per_page']));
  expect(info.description).toContain(
    'The roster, invitations, events and webhook deliveries are the same in both forms and are paged by `cursor`.',
  );
  for (const path of [
    '/v1/team/roster',
    '/v1/team/roster/invitations',
    '/v1/events',
    '/v1/webhooks/{webhook_id}/deliveries',
  ])
    expect(parametersOf(path)).toContain('cursor');
});

test('it says that daily rows are left out where a value is missing', () => {
  expect(info.description).toContain('Daily metrics and the score history have no row where there is no value');
});

test('the fields for writing a user show reference_id first, and external_ref as its alias', () => {
  for (const [path, method] of [
    ['/v1/users', 'post'],
    ['/v1/users/{user_id}', 'patch'],
  ] as const) {
    const { description, requestBody } = paths[path][method];
    expect(description).not.toContain('external_ref');
    const [, , , name] = requestBody.content['application/json'].schema.$ref.split('/');
    const { properties } = components.schemas[name];
    expect(Object.keys(properties).slice(0, 2)).toEqual(['reference_id', 'external_ref']);
    expect(properties.external_ref.description).toContain('An alias of `reference_id`');
  }
});

test('the page number has the bounds that its error names', () => {
  for (const path of ['/v1/users', '/v1/users/{user_id}/workouts'])
    expect(paths[path].get.parameters.find(({ name }: { name: string }) => name === 'page').schema).toMatchObject({
      minimum: 1,
      maximum: 999_999_999,
    });
});

test('every mail error is described with what to do', () => {
  const { error } = components.schemas.EmailStatus.properties;
  const codes: string[] = components.schemas.MailProblem.enum;
  expect(JSON.stringify(error)).toContain('/MailProblem"');
  expect(codes).toEqual(expect.arrayContaining(['mail_unavailable', 'identity_unverified', 'invitation_ended']));
  for (const code of codes) expect(error.description).toContain(`\`${code}\`, `);
});

test('the invitation endpoint says that a user, too, has at most one invitation or one member', () => {
  const { description, responses } = paths['/v1/team/roster/invitations'].post;
  expect(description).toMatch(/another address for a `user_id` .* `already_member`.* `invitation_pending`/);
  for (const code of ['already_member', 'invitation_pending'])
    expect(responses['409'].description).toMatch(
      new RegExp(`\`${code}\`: This e-mail address, or the user of \`user_id\``),
    );
});
