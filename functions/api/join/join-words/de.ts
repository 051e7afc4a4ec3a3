// Joining a team, in German.
import type { JoinWords } from './words.ts';

const askAgain = 'Bitten Sie das Team um eine neue Einladung.';

export const joiningInGerman: JoinWords = {
  locale: 'de-DE',
  heading: (team) => `${team} beitreten`,
  lead: (team) => `${team} lädt Sie in das Team bei Daybook ein.`,
  forWhom: (whom) => `Diese Einladung ist für ${whom}.`,
  meaning: (team) =>
    `Nach dem Beitritt kann die App von ${team} die Gesundheitsdaten sehen, die in diesem Team für Sie gespeichert sind. Mit dem Beitritt wird kein Gerät verbunden: Sie entscheiden danach, welche Sie verbinden.`,
  leaving: 'Sie können das Team jederzeit bitten, Sie zu entfernen.',
  action: 'Dem Team beitreten',
  deadline: 'Sie können beitreten bis',
  ignore:
    'Falls Sie diese Einladung nicht erwartet haben, schließen Sie diese Seite: Es geschieht nichts, solange Sie nicht beitreten.',
  joined: (team) => ({
    heading: `Sie sind ${team} beigetreten`,
    text: 'Hier ist nichts weiter zu tun. Sie können diese Seite schließen.',
  }),
  problems: {
    unknown_link: () => ({
      heading: 'Diese Einladung gibt es nicht',
      text: 'Der Link ist unvollständig oder stammt nicht von uns. Öffnen Sie ihn noch einmal aus der Nachricht, die Sie erhalten haben.',
    }),
    accepted: (team) => ({
      heading: team === undefined ? 'Sie sind bereits beigetreten' : `Sie sind ${team} bereits beigetreten`,
      text: 'Diese Einladung wurde schon angenommen. Hier ist nichts weiter zu tun.',
    }),
    revoked: () => ({
      heading: 'Diese Einladung gilt nicht mehr',
      text: `Sie wurde zurückgezogen. ${askAgain}`,
    }),
    expired: () => ({ heading: 'Diese Einladung ist abgelaufen', text: `Sie galt 14 Tage lang. ${askAgain}` }),
    user_gone: () => ({
      heading: 'Diese Einladung gilt nicht mehr',
      text: `Das Profil, für das sie bestimmt war, wurde gelöscht. ${askAgain}`,
    }),
    team_closed: () => ({
      heading: 'Ein Beitritt ist gerade nicht möglich',
      text: 'Das Team kann im Moment niemanden aufnehmen. Ihre Einladung bleibt bestehen: Versuchen Sie es später noch einmal oder fragen Sie das Team.',
    }),
  },
};
