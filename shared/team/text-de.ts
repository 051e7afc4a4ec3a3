// Joining a team, in German.
import { connectLinkHours } from '../connections/connection.ts';
import { invitationDays } from './team.ts';
import type { TeamText } from './team-text.ts';

const askForInvitation = 'Bitten Sie das Team um eine neue Einladung.';

export const germanTeamText: TeamText = {
  locale: 'de-DE',
  instant: (date, time) => `${date}, ${time} Uhr (UTC)`,
  meaning: (team) =>
    `Mit dem Beitritt werden Sie Mitglied des Teams. Die App von ${team} kann Ihre Gesundheitsdaten lesen, die im Konto des Teams gespeichert sind: was dort schon liegt und was Sie hinzufügen, indem Sie Geräte verbinden. Mit dem Beitritt wird kein Gerät verbunden: Sie entscheiden danach, welche Geräte Sie verbinden.`,
  leaving:
    'Sie können das Team jederzeit bitten, Sie zu entfernen. Ihre Daten werden dann nicht mehr geteilt: Die App des Teams kann sie nicht mehr lesen, und es kommen keine neuen hinzu, es sei denn, Sie nehmen eine neue Einladung an. Ihre Daten werden dabei nicht gelöscht. Wenn sie gelöscht werden sollen, bitten Sie das Team darum.',
  action: 'Dem Team beitreten',
  deadline: (instant) => `Sie können bis zum ${instant}, beitreten.`,
  mail: {
    subject: (team) => `${team} lädt Sie in das Team bei Daybook ein`,
    greeting: (name) => (name === undefined ? 'Guten Tag,' : `Guten Tag ${name},`),
    lead: (team) =>
      `${team} lädt Sie ein, dem Team bei Daybook beizutreten. Dort liegen die Daten von Wearables und Gesundheits-Apps an einem Ort.`,
    linkHere: 'Dem Team beitreten:',
    linkBelow: 'Falls die Schaltfläche nicht funktioniert, kopieren Sie diese Adresse in Ihren Browser:',
    goodOnce: 'Der Link ist nur für Sie bestimmt und funktioniert einmal.',
    ignore:
      'Falls Sie diese Nachricht nicht erwartet haben, ignorieren Sie sie: Es geschieht nichts, solange Sie den Link nicht öffnen und beitreten.',
  },
  page: {
    heading: (team) => `${team} beitreten`,
    lead: (team) => `${team} lädt Sie in das Team bei Daybook ein.`,
    forWhom: (whom) => `Diese Einladung ist für ${whom}.`,
    ignore:
      'Falls Sie diese Einladung nicht erwartet haben, schließen Sie diese Seite: Es geschieht nichts, solange Sie nicht beitreten.',
    joined: (team) => ({
      heading: `Sie sind ${team} beigetreten`,
      text: 'Hier ist nichts weiter zu tun. Sie können diese Seite schließen.',
    }),
    wearables: {
      text: 'Wählen Sie jetzt, welche Wearables Sie verbinden. Von einem Gerät wird nichts geteilt, solange Sie es nicht verbinden.',
      action: 'Wearables auswählen',
      deadline: `Das ist ${connectLinkHours} Stunden lang möglich. Bitten Sie danach das Team um einen Link.`,
    },
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
        text: `Sie wurde zurückgezogen. ${askForInvitation}`,
      }),
      expired: () => ({
        heading: 'Diese Einladung ist abgelaufen',
        text: `Sie galt ${invitationDays} Tage lang. ${askForInvitation}`,
      }),
      user_gone: () => ({
        heading: 'Diese Einladung gilt nicht mehr',
        text: `Das Profil, für das sie bestimmt war, wurde gelöscht. ${askForInvitation}`,
      }),
      team_closed: () => ({
        heading: 'Ein Beitritt ist gerade nicht möglich',
        text: 'Das Team kann im Moment niemanden aufnehmen. Ihre Einladung bleibt bestehen: Versuchen Sie es später noch einmal oder fragen Sie das Team.',
      }),
    },
  },
};
