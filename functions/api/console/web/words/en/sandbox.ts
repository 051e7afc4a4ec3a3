// The words of the sandbox page.
import type { components } from '../../api/generated/v1.d.ts';

type Schemas = components['schemas'];

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
  empty: 'Empty: no data at all',
};

export const sandboxWords = {
  sandbox: {
    title: 'Sandbox',
    lead: 'Fictional people, with data that behaves like that of real ones.',
    liveNote: 'Fictional people exist in the sandbox only.',
    switch: 'Switch to the sandbox',
    create: 'Create a person',
    createNote:
      'They get a ring, a phone and data within seconds, and more data every hour. An empty person gets none.',
    createButton: 'Create this person',
    notYourRole: 'Your role cannot create people. Ask an owner or a developer.',
    noLinks: 'Your role cannot create connect links. Ask an owner or a developer.',
    persona: 'Persona',
    personas,
    reference: 'Your reference',
    referenceNote: 'Optional. Your own id for the person, such as member-4711.',
    zone: 'Time zone',
    zoneNote: 'An IANA name. Leave it empty to let the first device name it.',
    days: 'Days of history',
    seed: 'Seed',
    seedNote:
      'Optional, such as checkout-test-1. People with the same seed, persona, days of history and time zone, created on the same day, have the same values.',
    daysNote: 'From 7 to 366. The newest days arrive first. With 35 or more, scores compare with the days themselves.',
    created: (name: string) => `${name} is created. The first days arrive within seconds.`,
    createdEmpty: (name: string) => `${name} is created, without data.`,
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
    fail: 'Make a provider fail',
    failSteps: [
      'Create a connect link, open it and choose a provider.',
      'On the page of the simulated provider, choose how it behaves: it is unavailable, it limits every request, or the consent ends. The first data arrives, and a minute later it fails.',
      'Open the person and press “Sync now”. The device says what is wrong, as it does with a real provider.',
      'To end the failure, connect the same account number again, with a provider that works.',
    ],
    failLimit:
      'Choose “Deny” instead to see a person who declines. For gaps in the data, create a “sparse” person; for a provider that replaces another, a “device swap”.',
  },
};
