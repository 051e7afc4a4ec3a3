// Strava's kinds of sport in our words. The list grows: what is not in it is `other`.

const runs = new Set(['Run', 'TrailRun', 'VirtualRun']);
const walks = new Set(['Walk', 'Hike']);
const rides = new Set([
  'Ride',
  'GravelRide',
  'MountainBikeRide',
  'EBikeRide',
  'EMountainBikeRide',
  'Handcycle',
  'Velomobile',
  'VirtualRide',
]);

const others: Readonly<Record<string, string>> = {
  Swim: 'swimming',
  WeightTraining: 'strength_training',
  Crossfit: 'crossfit',
  HighIntensityIntervalTraining: 'interval_training',
  Workout: 'workout',
  Yoga: 'yoga',
  Pilates: 'pilates',
  Elliptical: 'elliptical',
  StairStepper: 'stair_climbing',
  Rowing: 'rowing',
  VirtualRow: 'indoor_rowing',
  Canoeing: 'canoeing',
  Kayaking: 'kayaking',
  StandUpPaddling: 'stand_up_paddling',
  Surfing: 'surfing',
  Kitesurf: 'kitesurfing',
  Windsurf: 'windsurfing',
  Sail: 'sailing',
  AlpineSki: 'alpine_skiing',
  BackcountrySki: 'backcountry_skiing',
  NordicSki: 'cross_country_skiing',
  RollerSki: 'roller_skiing',
  Snowboard: 'snowboarding',
  Snowshoe: 'snowshoeing',
  IceSkate: 'ice_skating',
  InlineSkate: 'inline_skating',
  Skateboard: 'skateboarding',
  RockClimbing: 'climbing',
  Golf: 'golf',
  Soccer: 'soccer',
  Tennis: 'tennis',
  TableTennis: 'table_tennis',
  Badminton: 'badminton',
  Squash: 'squash',
  Racquetball: 'racquetball',
  Pickleball: 'pickleball',
  Wheelchair: 'wheelchair',
};

export function stravaSport(kind: string | null | undefined, isIndoors: boolean): string {
  if (!kind) return 'other';
  const place = isIndoors || kind.startsWith('Virtual') ? 'indoor_' : '';
  if (runs.has(kind)) return `${place}running`;
  if (walks.has(kind)) return `${place}walking`;
  if (rides.has(kind)) return `${place}cycling`;
  return Object.hasOwn(others, kind) ? (others[kind] ?? 'other') : 'other';
}
