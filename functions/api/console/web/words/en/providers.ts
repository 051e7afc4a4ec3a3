// The words of the page about providers.
import type { components } from '../../api/generated/v1.d.ts';

type Schemas = components['schemas'];

const categories: Readonly<Record<Schemas['MetricCategory'], string>> = {
  activity: 'Activity',
  sleep: 'Sleep',
  vitals: 'Vitals',
  body_composition: 'Body composition',
  energy: 'Energy',
  nutrition: 'Nutrition',
  scores: 'Scores',
};

const deviceTypes: Readonly<Record<Schemas['DeviceType'], string>> = {
  ring: 'Ring',
  wrist: 'Watch or band',
  scale: 'Scale',
  phone: 'Phone',
  app: 'App',
  cgm: 'Glucose sensor',
};

const providerNames: Readonly<Record<Schemas['ProviderId'], string>> = {
  apple_health: 'Apple Health',
  coros: 'COROS',
  garmin: 'Garmin',
  google_health: 'Google Health',
  health_connect: 'Health Connect',
  oura: 'Oura',
  polar: 'Polar',
  samsung_health: 'Samsung Health',
  strava: 'Strava',
  suunto: 'Suunto',
  ultrahuman: 'Ultrahuman',
  whoop: 'WHOOP',
  withings: 'Withings',
};

export const providersWords = {
  providerNames,
  providers: {
    title: 'Providers',
    lead: 'What people can connect, and what each provider measures.',
    sandboxNote: 'In the sandbox, a simulated provider stands in for each of these. None needs credentials.',
    seeLive: 'See which of them are ready in live',
    ready: 'Ready',
    simulated: 'Simulated',
    missing: 'Credentials are missing',
    missingSettings: 'Still needed:',
    missingNote:
      'Nobody can connect a provider whose credentials are missing. Register an application there, then have the operator of this deployment add its credentials.',
    register: (name: string) => `Register with ${name}`,
    credentials: (name: string) => `Add the credentials of ${name}`,
    guide: (name: string) => `How ${name} works`,
    device: 'Device',
    arrival: 'New data',
    delivery: {
      both: (interval: string) => `Pushed; polled every ${interval} when nothing arrives`,
      push: 'Pushed, never polled',
      poll: (interval: string) => `Polled every ${interval}`,
      upload: 'Uploaded by your app through the Mobile SDK',
    },
    history: 'First sync',
    historyDays: (days: string) => `${days} days back`,
    measures: 'Measures',
    clouds: 'Through their clouds',
    phones: 'On the phone',
    phonesNote: 'These need no credentials: your app reads them and uploads what changed.',
    coverage: 'Who measures what',
    coverageOf: (category: string) => `${category}: who measures what`,
    category: 'Category',
    metric: 'Metric',
    reported: 'yes',
    notReported: 'no',
    categories,
    deviceTypes,
  },
};
