// The invitation in French.
import type { InvitationWords } from './words.ts';

export const invitationInFrench: InvitationWords = {
  locale: 'fr-FR',
  subject: (team) => `${team} vous invite à rejoindre son équipe sur Daybook`,
  greeting: (name) => (name === undefined ? 'Bonjour,' : `Bonjour ${name},`),
  lead: (team) =>
    `${team} vous invite à rejoindre son équipe sur Daybook, qui réunit les données de vos objets connectés et de vos applications de santé.`,
  meaning:
    'Rejoindre l’équipe ne partage à lui seul aucune donnée de santé. Vous choisissez ensuite les appareils que vous connectez.',
  action: 'Rejoindre l’équipe',
  linkBelow: 'Si le bouton ne fonctionne pas, copiez cette adresse dans votre navigateur :',
  deadline: (date) => `Répondez avant le ${date}. Le lien vous est réservé et ne fonctionne qu’une fois.`,
  ignore:
    'Si vous n’attendiez pas ce message, ignorez-le : rien ne se passe tant que vous n’ouvrez pas le lien pour rejoindre l’équipe.',
};
