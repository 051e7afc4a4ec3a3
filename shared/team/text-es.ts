// Joining a team, in Spanish.
import { connectLinkHours } from '../connections/connection.ts';
import { invitationDays } from './team.ts';
import type { TeamText } from './team-text.ts';

const askForInvitation = 'Pida al equipo una nueva invitación.';

export const spanishTeamText: TeamText = {
  locale: 'es-ES',
  instant: (date, time) => `${date}, ${time} UTC`,
  meaning: (team) =>
    `Al unirse, usted pasa a ser miembro del equipo. La aplicación de ${team} puede leer sus datos de salud guardados en la cuenta del equipo: los que ya están allí y los que usted añada al conectar dispositivos. Unirse no conecta ningún dispositivo: después usted decide qué dispositivos conecta.`,
  leaving:
    'Puede pedir al equipo en cualquier momento que le dé de baja. Sus datos dejan entonces de compartirse: la aplicación del equipo ya no puede leerlos y no se añaden datos nuevos, salvo que usted acepte una nueva invitación. Sus datos no se eliminan. Si quiere que se eliminen, pídaselo al equipo.',
  action: 'Unirse al equipo',
  deadline: (instant) => `Puede unirse hasta el ${instant}.`,
  mail: {
    subject: (team) => `${team} le invita a su equipo en Daybook`,
    greeting: (name) => (name === undefined ? 'Hola:' : `Hola, ${name}:`),
    lead: (team) =>
      `${team} le invita a unirse a su equipo en Daybook, que reúne los datos de sus dispositivos y aplicaciones de salud en un solo lugar.`,
    linkHere: 'Unirse al equipo:',
    linkBelow: 'Si el botón no funciona, copie esta dirección en su navegador:',
    goodOnce: 'El enlace es solo para usted y funciona una vez.',
    ignore: 'Si no esperaba este mensaje, ignórelo: no ocurre nada mientras no abra el enlace y se una.',
  },
  page: {
    heading: (team) => `Unirse a ${team}`,
    lead: (team) => `${team} le invita a unirse a su equipo en Daybook.`,
    forWhom: (whom) => `Esta invitación es para ${whom}.`,
    ignore: 'Si no esperaba esta invitación, cierre esta página: no ocurre nada mientras no se una.',
    joined: (team) => ({
      heading: `Se ha unido a ${team}`,
      text: 'Aquí no hay nada más que hacer. Puede cerrar esta página.',
    }),
    wearables: {
      text: 'Elija ahora qué dispositivos conecta. No se comparte nada de un dispositivo mientras no lo conecte.',
      action: 'Elegir mis dispositivos',
      deadline: `Puede hacerlo durante ${connectLinkHours} horas. Después, pida un enlace al equipo.`,
    },
    problems: {
      unknown_link: () => ({
        heading: 'Esta invitación no existe',
        text: 'El enlace está incompleto o no es nuestro. Ábralo de nuevo desde el mensaje que recibió.',
      }),
      accepted: (team) => ({
        heading: team === undefined ? 'Ya se ha unido' : `Ya se ha unido a ${team}`,
        text: 'Esta invitación ya fue aceptada. Aquí no hay nada más que hacer.',
      }),
      revoked: () => ({ heading: 'Esta invitación ya no es válida', text: `Fue retirada. ${askForInvitation}` }),
      expired: () => ({
        heading: 'Esta invitación ha caducado',
        text: `Fue válida durante ${invitationDays} días. ${askForInvitation}`,
      }),
      user_gone: () => ({
        heading: 'Esta invitación ya no es válida',
        text: `El perfil para el que se hizo fue eliminado. ${askForInvitation}`,
      }),
      team_closed: () => ({
        heading: 'Ahora no es posible unirse',
        text: 'El equipo no puede admitir a nadie en este momento. Su invitación se conserva: inténtelo más tarde o pregunte al equipo.',
      }),
    },
  },
};
