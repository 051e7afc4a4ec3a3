// Checks the example responses of both OpenAPI documents for contradictions.
import { describe, expect, test } from 'vitest';
import { contract, form1Contract, tags } from '../../functions/api/reference/contract.ts';
import { buildOpenApiDocument } from '../../shared/http/openapi.ts';
import { addDays } from '../../shared/platform/time/local-day.ts';
import { invitationDays } from '../../shared/team/team.ts';

type Json = Record<string, unknown>;
const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null;
const nestedObjects = (value: unknown): Json[] =>
  isJson(value) ? [value, ...Object.values(value).flatMap((inside) => nestedObjects(inside))] : [];
const sumOf = (some: unknown, part: string): number =>
  (Array.isArray(some) ? some : []).reduce((sum, each) => sum + each[part], 0);

describe.each([
  { form: 2, endpoints: contract, explains: false },
  { form: 1, endpoints: form1Contract, explains: true },
])('in the document of Form $form', ({ endpoints, explains }) => {
  const { paths } = buildOpenApiDocument(endpoints, {
    version: '1',
    serverUrl: 'https://api.example',
    description: '',
    tags,
  });
  const media = nestedObjects(paths).filter((part) => 'schema' in part && 'example' in part && !('in' in part));
  const shown = media.flatMap(({ example }) => nestedObjects(example));

  test('an invitation expires after its validity period', () => {
    const invitations = shown.filter(({ id }) => String(id).startsWith('inv_'));
    expect(invitations.length).toBeGreaterThan(3);
    for (const { created_at, expires_at } of invitations) {
      const [day, time] = String(created_at).split('T');
      expect(expires_at).toBe(`${addDays(day ?? '', invitationDays)}T${time}`);
    }
  });

  test('a join link is shown only where no email is sent', () => {
    for (const { join_url, email_status } of shown)
      if (join_url !== undefined) expect(email_status).toMatchObject({ status: 'not_configured' });
  });

  test('a test event is delivered exactly when the response status is 2xx', () => {
    const outcomes = shown.filter(({ delivered }) => delivered !== undefined);
    expect(outcomes.length).toBeGreaterThan(0);
    for (const { delivered, attempt } of outcomes)
      expect(isJson(attempt) && /^2/.test(String(attempt['response_status']))).toBe(delivered);
  });

  test('the values of contributors add up to the total, and a single device has all of it', () => {
    const sourced = shown.filter(
      ({ source, value }) => value !== undefined && isJson(source) && 'original_value' in source,
    );
    expect(sourced.length).toBeGreaterThan(0);
    for (const { source, value, unit } of sourced) {
      if (!isJson(source)) continue;
      const { contributors, original_value, original_unit, device_id } = source;
      expect(original_unit).toBe(unit);
      if (contributors === undefined) expect(original_value).toBe(value);
      else {
        expect(sumOf(contributors, 'value')).toBe(value);
        expect(contributors).toContainEqual(expect.objectContaining({ device_id, value: original_value }));
      }
    }
  });

  test('the factors of a score add up to it, and each is its points times its weight', () => {
    const scores = shown.filter(({ factors, type }) => type !== undefined && factors !== undefined);
    expect(scores.length > 0).toBe(explains);
    for (const { factors, value } of scores) expect(sumOf(factors, 'contribution')).toBe(value);
    const explained = shown.filter(({ points, contribution }) => points !== undefined && contribution !== undefined);
    for (const { points, weight, contribution } of explained)
      expect(Math.abs((Number(points) * Number(weight)) / 100 - Number(contribution))).toBeLessThan(1);
  });

  test('an available score has no reason, and a missing one has one', () => {
    const states = shown.filter(({ status }) => /^(?:ready|provisional|missing|not_applicable)$/.test(String(status)));
    const kinds = new Set(states.map(({ status }) => status));
    expect([...kinds]).toEqual(expect.arrayContaining(['ready', 'missing']));
    for (const { status, value, reason, days, needed, inputs } of states) {
      if (status === 'ready' || status === 'provisional')
        expect([value, reason, days, needed, inputs]).toEqual([value ?? undefined, ...Array(4).fill(undefined)]);
      else expect([value ?? null, typeof reason, days, needed]).toEqual([null, 'string', undefined, undefined]);
    }
  });
});
