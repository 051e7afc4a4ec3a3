// The invitation in German.
import type { InvitationWords } from './words.ts';

export const invitationInGerman: InvitationWords = {
  locale: 'de-DE',
  subject: (team) => `${team} lädt Sie in sein Team bei Daybook ein`,
  greeting: (name) => (name === undefined ? 'Guten Tag,' : `Guten Tag ${name},`),
  lead: (team) =>
    `${team} lädt Sie ein, dem Team bei Daybook beizutreten. Dort liegen die Daten von Wearables und Gesundheits-Apps an einem Ort.`,
  meaning:
    'Mit dem Beitritt allein geben Sie keine Gesundheitsdaten weiter. Sie entscheiden danach, welche Geräte Sie verbinden.',
  action: 'Dem Team beitreten',
  linkBelow: 'Falls die Schaltfläche nicht funktioniert, kopieren Sie diese Adresse in Ihren Browser:',
  deadline: (date) =>
    `Bitte treten Sie bis zum ${date} bei. Der Link ist nur für Sie bestimmt und funktioniert einmal.`,
  ignore:
    'Falls Sie diese Nachricht nicht erwartet haben, ignorieren Sie sie: Es geschieht nichts, solange Sie den Link nicht öffnen und beitreten.',
};
