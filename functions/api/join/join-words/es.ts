// Joining a team, in Spanish.
import type { JoinWords } from './words.ts';

const askAgain = 'Pida al equipo una nueva invitación.';

export const joiningInSpanish: JoinWords = {
  locale: 'es-ES',
  heading: (team) => `Unirse a ${team}`,
  lead: (team) => `${team} le invita a unirse a su equipo en Daybook.`,
  forWhom: (whom) => `Esta invitación es para ${whom}.`,
  meaning: (team) =>
    `Cuando se haya unido, la aplicación de ${team} podrá ver los datos de salud que se guardan de usted en este equipo. Unirse no conecta ningún dispositivo: después usted decide cuáles conecta.`,
  leaving: 'Puede pedir al equipo en cualquier momento que le dé de baja.',
  action: 'Unirse al equipo',
  deadline: 'Puede unirse hasta el',
  ignore: 'Si no esperaba esta invitación, cierre esta página: no ocurre nada mientras no se una.',
  joined: (team) => ({
    heading: `Se ha unido a ${team}`,
    text: 'Aquí no hay nada más que hacer. Puede cerrar esta página.',
  }),
  problems: {
    unknown_link: () => ({
      heading: 'Esta invitación no existe',
      text: 'El enlace está incompleto o no es nuestro. Ábralo de nuevo desde el mensaje que recibió.',
    }),
    accepted: (team) => ({
      heading: team === undefined ? 'Ya se ha unido' : `Ya se ha unido a ${team}`,
      text: 'Esta invitación ya fue aceptada. Aquí no hay nada más que hacer.',
    }),
    revoked: () => ({ heading: 'Esta invitación ya no es válida', text: `Fue retirada. ${askAgain}` }),
    expired: () => ({ heading: 'Esta invitación ha caducado', text: `Era válida durante 14 días. ${askAgain}` }),
    user_gone: () => ({
      heading: 'Esta invitación ya no es válida',
      text: `El perfil para el que se hizo fue eliminado. ${askAgain}`,
    }),
    team_closed: () => ({
      heading: 'Ahora no es posible unirse',
      text: 'El equipo no puede admitir a nadie en este momento. Su invitación se conserva: inténtelo más tarde o pregunte al equipo.',
    }),
  },
};
