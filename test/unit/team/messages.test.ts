// The texts about joining, in every language: the email and the page share one text, and its
// promises hold.
import { expect, test } from 'vitest';
import { renderInvitationPage, renderJoinProblemPage } from '../../../functions/api/join/join-pages.ts';
import { languages } from '../../../shared/platform/language.ts';
import { escapeHtml } from '../../../shared/platform/markup.ts';
import { invitationMessage } from '../../../shared/team/invitation-message.ts';
import type { InvitationRow } from '../../../shared/team/invitation-rows.ts';
import { invitationDays } from '../../../shared/team/team.ts';
import { formatJoinDeadline, teamTextByLanguage } from '../../../shared/team/team-text-by-language.ts';

const team = 'Northwind';
const expiresMs = Date.UTC(2026, 9, 1, 9, 5);

const mailIn = (language: (typeof languages)[number]) =>
  invitationMessage({
    to: 'a@example.com',
    name: null,
    team,
    joinUrl: 'https://api.example.com/join/x',
    expiresMs,
    language,
  });
// The page reads no other fields of the row.
const pageIn = (language: (typeof languages)[number]) =>
  renderInvitationPage({
    problem: undefined,
    team,
    user: undefined,
    row: { language, email: 'a@example.com', name: null, expiresMs } as InvitationRow,
  }).html;

test.each(languages)(
  'in %s the email and the page state the same about joining, leaving and the deadline',
  (language) => {
    const teamText = teamTextByLanguage[language];
    for (const content of [teamText.meaning(team), teamText.leaving, formatJoinDeadline(teamText, expiresMs)]) {
      expect(mailIn(language).text).toContain(content);
      expect(mailIn(language).html).toContain(escapeHtml(content));
      expect(pageIn(language)).toContain(escapeHtml(content));
    }
  },
);

test.each([
  [
    'en',
    /can read your health data stored/,
    /no longer shared: .* can no longer read it.* new invitation\. .* not deleted/,
  ],
  [
    'de',
    /kann Ihre Gesundheitsdaten lesen/,
    /nicht mehr geteilt: .* nicht mehr lesen.* neue Einladung.* nicht gelöscht/,
  ],
  [
    'fr',
    /peut lire, .* les données de santé qui vous concernent/,
    /plus partagées\u00a0: .* ne peut plus les lire.* nouvelle invitation.* ne sont pas supprimées/,
  ],
  [
    'es',
    /puede leer sus datos de salud/,
    /dejan entonces de compartirse: .* ya no puede leerlos.* nueva invitación.* no se eliminan/,
  ],
] as const)(
  'in %s it states that the app can read stored data, and that leaving ends that and deletes none',
  (language, reads, stays) => {
    expect(teamTextByLanguage[language].meaning(team)).toMatch(reads);
    expect(teamTextByLanguage[language].leaving).toMatch(stays);
  },
);

test.each(languages)('in %s an expired invitation states how long it was valid', (language) => {
  expect(renderJoinProblemPage('expired', team, language).html).toContain(` ${invitationDays} `);
});

test('French has a no-break space before every colon, and an ordinal for the first of a month', () => {
  const { text, html } = mailIn('fr');
  const content = [
    text,
    html.replace(/<head>.*<\/head>/s, '').replaceAll(/<[^>]*>/g, ''),
    pageIn('fr').replace(/^.*<h1>/s, ''),
  ]
    .join('\n')
    .replaceAll(/https:\S*|\d\d:\d\d/g, '');
  expect(content.match(/.:/g)?.length).toBeGreaterThan(6);
  expect(content).not.toMatch(/[^\u00a0]:/);
  for (const problem of ['team_closed', 'unknown_link'] as const)
    expect(teamTextByLanguage.fr.page.problems[problem](team).text).not.toMatch(/[^\u00a0]:/);
  expect(text).toContain('jusqu’au 1er octobre 2026 à 09:05 UTC.');
});
