// The words of a person's page.

export const personWords = {
  person: {
    noZone: 'Days are UTC until a phone or the connect page names a time zone.',
    clockThere: (clock: string) => `${clock} there`,
    created: 'created',
    unshared: 'This person shares no data now. What was stored is kept, and no value is shown anywhere.',
    close: 'Close',
    moreInRange: 'There are more in this range. Choose a shorter one, or use the request below with its cursor.',
    tabs: {
      label: 'Views of this person',
      days: 'Days',
      nights: 'Nights',
      workouts: 'Workouts',
      scores: 'Scores',
      uploads: 'Uploads',
      events: 'Events',
      consolidation: 'Consolidation',
    },
    range: {
      label: 'Length of the range',
      earlier: 'Earlier days',
      later: 'Later days',
      days: (days: number) => (days === 365 ? 'year' : String(days)),
    },
    connect: {
      button: 'Connect link…',
      title: 'A link to connect a wearable',
      text: 'Send this person a link to the page where they choose and connect their wearables.',
      create: 'Create a link',
      until: (time: string) => `The link works until ${time}.`,
    },
    erase: {
      button: 'Erase…',
      title: (name: string) => `Erase ${name}?`,
      text: 'Every device is disconnected and everything that is stored about this person is erased. This cannot be undone.',
      action: 'Erase for good',
      back: 'Back to people',
    },
    erased: {
      begun: 'The person is being erased',
      done: 'The person is erased',
      requested: 'Requested',
      erased: 'Erased',
      waiting: 'The event user.deleted follows when everything is erased.',
      event: 'Event user.deleted',
      retention:
        'This page is the receipt. Daybook stores the event for 90 days and the audit entry for 400 days. Both hold only the id of the person.',
      copy: 'the receipt as JSON',
    },
    devices: {
      label: 'Devices',
      none: 'No device is connected. Send a connect link, or let the person’s phone upload.',
      synced: 'synced',
      silent: 'silent since',
      lastSync: 'Last sync:',
      never: 'nothing has arrived yet',
      pending: 'waiting for the person to agree',
      problems: {
        waiting: 'The provider does not answer, or limits requests. Daybook tries again by itself.',
        failed: 'Daybook cannot read from the provider, and tries again by itself.',
      },
      isDisconnected: 'disconnected',
      importing: (range: string) => `importing ${range}`,
      imported: 'Share of the history that is imported',
      partlyImported: (share: string, range: string) => `${share} of the history (${range}) is imported.`,
      syncNow: 'Sync now',
      openApp: 'A phone uploads by itself. For newer data, the person opens the app.',
      syncing: (name: string) => `${name} is being synced.`,
      syncedJustNow: (clock: string) => `It was synced a moment ago. The next time is ${clock}.`,
      replay: {
        button: 'Replay…',
        title: (name: string) => `Read the data of ${name} again`,
        stored: 'Everything that this device has sent in the last 30 days is processed again, with the current rules.',
        storedNote: 'Days change only where something is read differently. The event data.updated follows then.',
        begin: 'Process again',
        begun: (uploads: string) => `Daybook processes ${uploads} again.`,
        uploads: (count: number) => (count === 1 ? 'one upload' : `${count} uploads`),
        nothing: 'Nothing is stored of this device, or a replay is already waiting.',
        history:
          'To fetch the whole history from the provider again, let the person connect it again. The new connection replaces this one and fetches the history, newest days first.',
        link: 'Connect link…',
      },
      disconnect: 'Disconnect',
      disconnectTitle: (name: string) => `Disconnect ${name}?`,
      disconnectText: 'No new data arrives from this device. What it has measured stays.',
      disconnected: (name: string) => `${name} is disconnected.`,
      types: {
        ring: 'ring',
        wrist: 'watch or band',
        scale: 'scale',
        phone: 'phone',
        app: 'app',
        cgm: 'glucose sensor',
      },
      errors: {
        access_denied: 'The person declined on the provider’s page.',
        link_expired: 'The link had expired. Send a new one.',
        wrong_provider: 'The person connected a different provider than the one requested.',
        code_refused: 'The provider refused the connection. Send a new link.',
        scopes_missing: 'The person left out a permission that is needed. Send a new link.',
        provider_unavailable: 'The provider did not answer. Try again later.',
        not_configured: 'This deployment has no credentials for the provider.',
        consent_ended: 'The person has withdrawn their consent. Send a new link if they want to continue.',
        replaced: 'Another connection has taken its place.',
      },
    },
    days: { empty: 'Nothing was measured in this range.' },
    nights: {
      empty: 'No night was measured in this range.',
      nap: 'nap',
      asleep: (time: string) => `${time} asleep`,
      noStages: 'The device reported no stages for this night.',
      offsets: (from: string, to: string) => `${from} → ${to}`,
      zoneChange: (offsets: string) => `Another time zone: ${offsets}`,
      clockChange: (zone: string, offsets: string) => `Clock change in ${zone}: ${offsets}`,
      changes: 'Changes of the UTC offset between two nights',
      changedBefore: 'Before the night of',
      change: 'Change',
    },
    workouts: {
      empty: 'There is no workout in this range.',
      type: 'Workout',
      when: 'When',
      duration: 'Duration',
      distance: 'Distance',
      heartRate: 'Heart rate',
      noTrace: 'The device reported no heart rate over time.',
    },
    scores: {
      names: {
        sleep_score: 'Sleep',
        recovery_score: 'Recovery',
        strain_score: 'Strain',
        nutrition_score: 'Nutrition',
        stress_score: 'Stress',
      },
      states: {
        calibrating: 'learning what is usual',
        missing: 'no score yet',
        not_applicable: 'not computed for this person',
        provisional: 'provisional',
        ready: 'ready',
      },
    },
    uploads: {
      empty: 'No records were rejected in the last 30 days.',
      when: 'When',
      device: 'Device',
      kind: 'Kind',
      records: 'Records',
      rejected: 'Rejected',
      why: 'Why',
    },
    events: {
      empty: 'Nothing happened to this person in this time. Choose a longer one to look further back.',
      since: (count: number, text: string, since: string) =>
        `${count === 1 ? '1 event' : `${text} events`} since ${since}.`,
      when: 'When',
      type: 'Event',
      about: 'About',
      id: 'Id',
    },
  },
  why: {
    title: 'Why this number',
    close: 'Close',
    noValue: 'No value',
    pending: 'about to change: newer data is being processed',
    devices: 'What each device reported, and how much of it counted',
    device: 'Device',
    disabled: (name: string) => `${name} (switched off)`,
    rank: 'Rank',
    ownValue: 'Own value',
    counted: 'Counted',
    methods: {
      merge: 'merged by period',
      priority: 'the highest-ranked device',
      max: 'the largest value',
      avg: 'the mean of all devices',
      sum: 'the sum of all devices',
    },
    overridden: 'changed for this person',
    isDefault: 'default',
    outline: 'Filled: counted. Outline: left out.',
    lane: (name: string, periods: number, leftOut: number) =>
      `${name}: ${periods} periods in which it measured, ${leftOut} of them left out`,
    asJson: 'this day as JSON',
    asAnswer: 'as a support answer',
    change: 'Change consolidation…',
    factors: 'What the score is made of',
    factor: 'Factor',
    contribution: 'Points',
    input: 'Based on',
    missingInputs: 'At least one of these is needed',
    answerHead: (metric: string, day: string, person: string) => `${metric.replaceAll('_', ' ')} on ${day}, ${person}:`,
  },
  consolidation: {
    metric: 'Metric',
    changed: 'changed',
    method: 'How values of several devices become one',
    providers: 'Providers that count',
    preview: 'Preview',
    previewFirst: 'Preview a change before you save it.',
    save: 'Save',
    saved: 'Saved. The days are being computed again.',
    unchanged: 'These are the current settings.',
    readOnly: 'Your role can read these settings. An owner or a developer can change them.',
    /** The beginning of a sentence that says what a change would do. */
    condition: ({ metric, method, on, off }: ChangeText) => {
      const parts = [
        ...(method === undefined ? [] : [`${lowerFirst(metric)} becomes ${method}`]),
        ...(on.length === 0 ? [] : [`${on.join(', ')} counts for ${lowerFirst(metric)}`]),
        ...(off.length === 0 ? [] : [`${off.join(', ')} no longer counts for ${lowerFirst(metric)}`]),
      ];
      return `If ${parts.join(' and ')}`;
    },
    noChange: (condition: string, days: number) => `${condition}, none of the last ${days} days changes.`,
    change: ({ condition, metric, days, of, mean, largest }: PreviewedChangeText) =>
      `${condition}, ${lowerFirst(metric)} changes on ${days} of ${of} days for this person` +
      (mean === undefined ? '' : `: by ${mean} on average`) +
      (largest ? `, at most by ${largest.change} on ${largest.day}.` : '.'),
    rebuild: {
      label: 'Days with their new value',
      days: (done: number, of: number) => `${done} of ${of} days have their new value.`,
      nothing: 'No value changes, so no event follows.',
      eventFollows: 'The event subject.synced follows when the days are computed.',
    },
    dayChange: (day: string, before: string, after: string) =>
      before === after ? `${day}: ${before}` : `${day}: ${before} now, ${after} afterwards`,
    before: 'Now',
    after: 'Afterwards',
    beforeAfter: (metric: string) => `${metric} now and afterwards`,
  },
};

interface PreviewedChangeText {
  condition: string;
  metric: string;
  days: number;
  of: number;
  mean: string | undefined;
  largest: { change: string; day: string } | null;
}

interface ChangeText {
  metric: string;
  method: string | undefined;
  on: readonly string[];
  off: readonly string[];
}

/** Within a sentence. Abbreviations such as REM stay. */
const lowerFirst = (name: string): string =>
  /^\p{Lu}\p{Ll}/u.test(name) ? name.charAt(0).toLowerCase() + name.slice(1) : name;
