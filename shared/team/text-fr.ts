// Joining a team, in French. A no-break space precedes each colon. The texts avoid "de" before a
// team's name, because it would need an elision.
import { connectLinkHours } from '../connections/connection.ts';
import { invitationDays } from './team.ts';
import type { TeamText } from './team-text.ts';

const askForInvitation = 'Demandez une nouvelle invitation à l’équipe.';

export const frenchTeamText: TeamText = {
  locale: 'fr-FR',
  // The first day of a month is an ordinal.
  instant: (date, time) => `${date.replace(/^1 /, '1er ')} à ${time} UTC`,
  meaning: (team) =>
    `En rejoignant l’équipe, vous en devenez membre. ${team} peut lire, avec son application, les données de santé qui vous concernent et qui sont enregistrées dans le compte de l’équipe\u00a0: celles qui s’y trouvent déjà et celles que vous ajoutez en connectant des appareils. Rejoindre l’équipe ne connecte aucun appareil\u00a0: vous choisissez ensuite les appareils que vous connectez.`,
  leaving:
    'Vous pouvez à tout moment demander à l’équipe de vous retirer. Vos données ne sont alors plus partagées\u00a0: l’application de l’équipe ne peut plus les lire et aucune nouvelle donnée n’est ajoutée, sauf si vous acceptez une nouvelle invitation. Vos données ne sont pas supprimées. Si vous souhaitez qu’elles le soient, demandez-le à l’équipe.',
  action: 'Rejoindre l’équipe',
  deadline: (instant) => `Vous pouvez rejoindre l’équipe jusqu’au ${instant}.`,
  mail: {
    subject: (team) => `${team} vous invite à rejoindre son équipe sur Daybook`,
    greeting: (name) => (name === undefined ? 'Bonjour,' : `Bonjour ${name},`),
    lead: (team) =>
      `${team} vous invite à rejoindre son équipe sur Daybook, qui réunit les données de vos objets connectés et de vos applications de santé.`,
    linkHere: 'Rejoindre l’équipe\u00a0:',
    linkBelow: 'Si le bouton ne fonctionne pas, copiez cette adresse dans votre navigateur\u00a0:',
    goodOnce: 'Le lien vous est réservé et ne fonctionne qu’une fois.',
    ignore:
      'Si vous n’attendiez pas ce message, ignorez-le\u00a0: rien ne se passe tant que vous n’ouvrez pas le lien pour rejoindre l’équipe.',
  },
  page: {
    heading: (team) => `Rejoindre ${team}`,
    lead: (team) => `${team} vous invite à rejoindre son équipe sur Daybook.`,
    forWhom: (whom) => `Cette invitation est pour ${whom}.`,
    ignore:
      'Si vous n’attendiez pas cette invitation, fermez cette page\u00a0: rien ne se passe tant que vous ne rejoignez pas l’équipe.',
    joined: (team) => ({
      heading: `Vous avez rejoint ${team}`,
      text: 'Il n’y a rien d’autre à faire ici. Vous pouvez fermer cette page.',
    }),
    wearables: {
      text: 'Choisissez maintenant les appareils que vous connectez. Rien n’est partagé depuis un appareil tant que vous ne l’avez pas connecté.',
      action: 'Choisir mes appareils',
      deadline: `Ce choix est possible pendant ${connectLinkHours} heures. Ensuite, demandez un lien à l’équipe.`,
    },
    problems: {
      unknown_link: () => ({
        heading: 'Cette invitation n’existe pas',
        text: 'Le lien est incomplet ou ne vient pas de nous. Ouvrez-le de nouveau depuis le message que vous avez reçu.',
      }),
      accepted: (team) => ({
        heading: team === undefined ? 'Vous avez déjà rejoint l’équipe' : `Vous avez déjà rejoint ${team}`,
        text: 'Cette invitation a déjà été acceptée. Il n’y a rien d’autre à faire ici.',
      }),
      revoked: () => ({
        heading: 'Cette invitation n’est plus valable',
        text: `Elle a été retirée. ${askForInvitation}`,
      }),
      expired: () => ({
        heading: 'Cette invitation a expiré',
        text: `Elle était valable ${invitationDays} jours. ${askForInvitation}`,
      }),
      user_gone: () => ({
        heading: 'Cette invitation n’est plus valable',
        text: `Le profil auquel elle était destinée a été supprimé. ${askForInvitation}`,
      }),
      team_closed: () => ({
        heading: 'Il n’est pas possible de rejoindre l’équipe pour le moment',
        text: 'L’équipe ne peut accueillir personne actuellement. Votre invitation est conservée\u00a0: réessayez plus tard ou adressez-vous à l’équipe.',
      }),
    },
  },
};
