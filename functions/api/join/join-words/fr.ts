// Joining a team, in French.
import type { JoinWords } from './words.ts';

const askAgain = 'Demandez une nouvelle invitation à l’équipe.';

export const joiningInFrench: JoinWords = {
  locale: 'fr-FR',
  heading: (team) => `Rejoindre ${team}`,
  lead: (team) => `${team} vous invite à rejoindre son équipe sur Daybook.`,
  forWhom: (whom) => `Cette invitation est pour ${whom}.`,
  meaning: (team) =>
    `Une fois que vous avez rejoint l’équipe, l’application de ${team} peut voir les données de santé qui y sont conservées pour vous. Rejoindre l’équipe ne connecte aucun appareil : vous choisissez ensuite ceux que vous connectez.`,
  leaving: 'Vous pouvez à tout moment demander à l’équipe de vous retirer.',
  action: 'Rejoindre l’équipe',
  deadline: 'Vous pouvez accepter jusqu’au',
  ignore:
    'Si vous n’attendiez pas cette invitation, fermez cette page : rien ne se passe tant que vous ne rejoignez pas l’équipe.',
  joined: (team) => ({
    heading: `Vous avez rejoint ${team}`,
    text: 'Il n’y a rien d’autre à faire ici. Vous pouvez fermer cette page.',
  }),
  problems: {
    unknown_link: () => ({
      heading: 'Cette invitation n’existe pas',
      text: 'Le lien est incomplet ou ne vient pas de nous. Ouvrez-le de nouveau depuis le message que vous avez reçu.',
    }),
    accepted: (team) => ({
      heading: team === undefined ? 'Vous avez déjà rejoint l’équipe' : `Vous avez déjà rejoint ${team}`,
      text: 'Cette invitation a déjà été acceptée. Il n’y a rien d’autre à faire ici.',
    }),
    revoked: () => ({ heading: 'Cette invitation n’est plus valable', text: `Elle a été retirée. ${askAgain}` }),
    expired: () => ({
      heading: 'Cette invitation a expiré',
      text: `Elle était valable 14 jours. ${askAgain}`,
    }),
    user_gone: () => ({
      heading: 'Cette invitation n’est plus valable',
      text: `Le profil auquel elle était destinée a été supprimé. ${askAgain}`,
    }),
    team_closed: () => ({
      heading: 'Il n’est pas possible de rejoindre l’équipe pour le moment',
      text: 'L’équipe ne peut accueillir personne actuellement. Votre invitation est conservée : réessayez plus tard ou adressez-vous à l’équipe.',
    }),
  },
};
