// The invitation in Spanish.
import type { InvitationWords } from './words.ts';

export const invitationInSpanish: InvitationWords = {
  locale: 'es-ES',
  subject: (team) => `${team} le invita a su equipo en Daybook`,
  greeting: (name) => (name === undefined ? 'Hola:' : `Hola, ${name}:`),
  lead: (team) =>
    `${team} le invita a unirse a su equipo en Daybook, que reúne los datos de sus dispositivos y aplicaciones de salud en un solo lugar.`,
  meaning: 'Unirse no comparte por sí solo ningún dato de salud. Después usted decide qué dispositivos conecta.',
  action: 'Unirse al equipo',
  linkBelow: 'Si el botón no funciona, copie esta dirección en su navegador:',
  deadline: (date) => `Únase antes del ${date}. El enlace es solo para usted y funciona una vez.`,
  ignore: 'Si no esperaba este mensaje, ignórelo: no ocurre nada mientras no abra el enlace y se una.',
};
