import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { languages } from '../../../shared/platform/language.ts';
import { invitationMessage } from '../../../shared/team/invitation-message.ts';

const joinUrl = 'https://api.example.com/join/jn_0123456789?a=1&b=2';
const parts = {
  to: 'ada@example.com',
  name: 'Ada Lovelace',
  team: 'Northwind Clinic',
  joinUrl,
  expiresMs: Date.UTC(2026, 2, 14, 9, 5),
  language: 'en' as const,
};

test('the message states who invites whom to what, until when, and what to do', () => {
  const { to, subject, text } = invitationMessage(parts);
  expect(to).toBe('ada@example.com');
  expect(subject).toBe('Northwind Clinic invites you to its team on Daybook');
  expect(text).toMatch(/^Hello Ada Lovelace,\n\nNorthwind Clinic invites you to join its team on Daybook/);
  expect(text).toContain(`\n\nJoin the team:\n${joinUrl}\n\n`);
  expect(text).toContain('You can join until 14 March 2026, 09:05 UTC.');
  expect(text).toContain('If you did not expect this message, ignore it');
});

test('the HTML part has the same text, with the link to click and to copy', () => {
  const { text, html } = invitationMessage(parts);
  const link = joinUrl.replace('&', '&amp;');
  expect(html).toContain(`<a href="${link}"`);
  expect(html).toContain(`>${link}</span>`);
  const sentences = text.split('\n\n').filter((paragraph) => !paragraph.includes(joinUrl));
  expect(sentences).toHaveLength(6);
  for (const sentence of sentences) expect(html).toContain(`<p>${sentence}</p>`);
});

test.each([
  ['en', 'You can join until 14 March 2026, 09:05 UTC.'],
  ['de', 'Sie können bis zum 14. März 2026, 09:05 Uhr (UTC), beitreten.'],
  ['fr', 'Vous pouvez rejoindre l’équipe jusqu’au 14 mars 2026 à 09:05 UTC.'],
  ['es', 'Puede unirse hasta el 14 de marzo de 2026, 09:05 UTC.'],
] as const)('in %s it has its own texts and dates', (language, deadline) => {
  const { subject, text, html } = invitationMessage({ ...parts, language });
  expect(text).toContain(deadline);
  expect(html).toContain(`<html lang="${language}">`);
  for (const part of [subject, text, html]) expect(part).toContain('Northwind Clinic');
  const others = languages.filter((other) => other !== language);
  for (const other of others) {
    const elsewhere = invitationMessage({ ...parts, language: other });
    expect(elsewhere.subject).not.toBe(subject);
    for (const paragraph of elsewhere.text.split('\n\n')) expect(text.split('\n\n')).not.toContain(paragraph);
  }
});

test("the date is the one in UTC, regardless of the machine's zone", () => {
  const late = invitationMessage({ ...parts, expiresMs: Date.UTC(2026, 2, 14, 23, 59) });
  const early = invitationMessage({ ...parts, expiresMs: Date.UTC(2026, 2, 14, 0, 1) });
  for (const { text } of [late, early]) expect(text).toContain('14 March 2026');
});

test('a user without a name is greeted without one', () => {
  for (const name of [null, '', ' \u202e\n']) expect(invitationMessage({ ...parts, name }).text).toMatch(/^Hello,\n/);
});

test('a team whose name has no visible character is called by the product name', () => {
  for (const team of ['', ' \u202e\n'])
    expect(invitationMessage({ ...parts, team }).subject).toBe('Daybook invites you to its team on Daybook');
});

test('a name is measured in characters, not in code units', () => {
  const team = '𝒳'.repeat(80);
  expect(invitationMessage({ ...parts, team }).subject).toBe(`${team} invites you to its team on Daybook`);
});

test('a long name is truncated', () => {
  const { subject } = invitationMessage({ ...parts, team: '𝒳'.repeat(500) });
  expect(subject).toBe(`${'𝒳'.repeat(79)}… invites you to its team on Daybook`);
});

describe('with hostile names', () => {
  const nasty = fc.constantFrom(
    '<img src=https://evil.example/x.png>',
    '"><script>alert(1)</script>',
    'x\r\nBcc: all@evil.example',
    'http://evil.example/login',
    'HTTPS:/\u2060/evil.example',
    'www.evil.example',
    'mallory@evil.example',
    'data:text/html,hi',
    '\u202eelpmaxe.live',
    '\ud800',
    '$& $1 {{name}} %s',
  );
  const foreign = fc.oneof(
    nasty,
    fc.string({ unit: 'binary' }),
    fc.array(nasty, { maxLength: 3 }).map((all) => all.join('')),
  );
  const messages = fc
    .record({ name: fc.option(foreign), team: foreign, to: foreign, language: fc.constantFrom(...languages) })
    .map((part) => invitationMessage({ ...parts, ...part }));
  const tags = (html: string) => [...html.matchAll(/<[^>]*>/g)].map(([tag]) => tag);

  test('the HTML part has the same tags, and links only to the invitation', () => {
    fc.assert(
      fc.property(messages, ({ html }) => {
        const language = /<html lang="(..)">/.exec(html)?.[1];
        const usual = invitationMessage({ ...parts, language: languages.find((one) => one === language) ?? 'en' });
        expect(tags(html)).toEqual(tags(usual.html));
        expect(tags(html).join('')).not.toMatch(/<(?:img|script|link|iframe|object|form)|src=|url\(/i);
      }),
    );
  });

  test('the only URL in the message is ours, also for clients that turn text into links', () => {
    fc.assert(
      fc.property(messages, ({ text, html, subject }) => {
        const rest = `${subject}\n${text.replace(joinUrl, '')}\n${html.replaceAll(joinUrl.replace('&', '&amp;'), '').replaceAll(/<[^>]*>/g, '')}`;
        expect(rest).not.toMatch(/[a-z]:\/|[^\s]\.[a-z]|\S@[a-z]/i);
      }),
    );
  });

  test('the subject is one line, and the text has the usual number of lines', () => {
    fc.assert(
      fc.property(messages, ({ subject, text }) => {
        expect(subject).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
        expect(subject).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
        expect(text.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/)).toHaveLength(14);
        for (const part of [subject, text]) expect(part.isWellFormed()).toBe(true);
      }),
    );
  });
});
