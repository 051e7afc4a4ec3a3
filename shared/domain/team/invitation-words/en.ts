// The invitation in English.
import type { InvitationWords } from './words.ts';

export const invitationInEnglish: InvitationWords = {
  locale: 'en-GB',
  subject: (team) => `${team} invites you to its team on Daybook`,
  greeting: (name) => (name === undefined ? 'Hello,' : `Hello ${name},`),
  lead: (team) =>
    `${team} invites you to join its team on Daybook, where people keep the data of their wearables and health apps in one place.`,
  meaning: 'Joining shares no health data by itself. You decide afterwards which devices you connect.',
  action: 'Join the team',
  linkBelow: 'If the button does not work, copy this address into your browser:',
  deadline: (date) => `Please join by ${date}. The link is for you alone and works once.`,
  ignore: 'If you did not expect this message, ignore it: nothing happens unless you open the link and join.',
};
