// The words of the sandbox page.
import type { Schemas } from '../../api/client.ts';

const personas: Readonly<Record<Schemas['SandboxPersona'], string>> = {
  average: 'Average: a typical week',
  athlete: 'Athlete: trains almost daily',
  shift_worker: 'Shift worker: sleeps during the day on three days out of six',
  traveller: 'Traveller: in another time zone on three days out of six',
  sparse: 'Sparse: some days and measurements are missing',
  new_user: 'New: three days of data',
  ill: 'Ill: in bed for the last two days',
  device_swap: 'Device swap: changed from a ring to a watch three days ago',
  incomplete_log: 'Incomplete log: only a few meals are logged',
  child: 'Child: eight years old',
  older: 'Older: 72 years old',
};

export const sandboxWords = {
  sandbox: {
    title: 'Sandbox',
    lead: 'Fictional people, with data that behaves like that of real ones.',
    liveNote: 'Fictional people exist in the sandbox only.',
    switch: 'Switch to the sandbox',
    create: 'Create a person',
    createNote: 'They get a ring, a phone and data within seconds, and more data every hour.',
    createButton: 'Create this person',
    notYourRole: 'Your role cannot create people. Ask an owner or a developer.',
    persona: 'Persona',
    personas,
    reference: 'Your reference',
    referenceNote: 'Optional. Your own id for the person, such as member-4711.',
    zone: 'Time zone',
    zoneNote: 'An IANA name. Leave it empty to let the first device name it.',
    days: 'Days of history',
    daysNote: 'From 7 to 366. The newest days arrive first. With 35 or more, scores compare with the days themselves.',
    created: (name: string) => `${name} is created. The first days arrive within seconds.`,
    open: (name: string) => `Open ${name}`,
    connect: 'Connect a simulated device',
    connectNote:
      'A connect link opens the page that your users see. It works for a day. Choose a provider there, then choose who is behind the account.',
    person: 'Person',
    noPeople: 'There is nobody in the sandbox yet. Create a person first.',
    createLink: 'Create a connect link',
    link: 'The connect link',
    openLink: 'Open the connect page',
    linkEnds: 'It ends',
    fail: 'Make a connection fail',
    failSteps: [
      'Create a connect link, open it and choose a provider.',
      'Choose “Deny” on the page of the simulated provider.',
      'The device becomes “failed”, as it does when a person declines at a real provider.',
    ],
    failLimit:
      'A simulated provider never has an outage and never ends a consent by itself. For gaps in the data, create a “sparse” person; for a provider that replaces another, a “device swap”.',
  },
};
