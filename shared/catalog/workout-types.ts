// The vocabulary of workout types, to which every provider's and phone's own words are mapped.
import type { MetricId } from './metrics.ts';

/**
 * A type that is a child here may be the parent of other types. Ids appear in responses and stored
 * rows: new ones may be added, but none is ever renamed.
 */
const childTypes = {
  walking: ['indoor_walking', 'nordic_walking', 'power_walking', 'dog_walking', 'stroller_walking'],
  hiking: ['trekking', 'backpacking', 'rucking'],
  running: [
    'trail_running',
    'track_running',
    'indoor_running',
    'ultra_running',
    'stroller_running',
    'obstacle_course_racing',
  ],
  cycling: [
    'mountain_biking',
    'gravel_cycling',
    'cyclocross',
    'track_cycling',
    'bmx',
    'handcycling',
    'unicycling',
    'e_biking',
    'indoor_cycling',
  ],
  e_biking: ['e_mountain_biking'],
  swimming: ['open_water_swimming'],
  multisport: ['triathlon', 'duathlon', 'aquathlon', 'swimrun', 'adventure_racing', 'transition'],
  winter_sports: [
    'downhill_skiing',
    'cross_country_skiing',
    'ski_touring',
    'biathlon',
    'snowboarding',
    'snowshoeing',
    'sledding',
    'curling',
  ],
  downhill_skiing: ['telemark_skiing'],
  cross_country_skiing: ['classic_skiing', 'skate_skiing', 'roller_skiing'],
  snowboarding: ['backcountry_snowboarding'],
  skating: ['ice_skating', 'inline_skating', 'roller_skating'],
  ice_skating: ['speed_skating', 'ice_dancing'],
  water_sports: [
    'surfing',
    'paddling',
    'sailing',
    'boating',
    'wakeboarding',
    'water_skiing',
    'diving',
    'water_polo',
    'artistic_swimming',
  ],
  surfing: ['kitesurfing', 'windsurfing', 'foiling', 'bodyboarding', 'wakesurfing'],
  paddling: ['kayaking', 'canoeing', 'stand_up_paddling', 'rafting'],
  diving: ['scuba_diving', 'freediving', 'spearfishing', 'snorkeling'],
  rowing: ['indoor_rowing'],
  racket_sports: [
    'tennis',
    'padel',
    'pickleball',
    'platform_tennis',
    'table_tennis',
    'badminton',
    'squash',
    'racquetball',
  ],
  tennis: ['beach_tennis'],
  team_sports: [
    'soccer',
    'american_football',
    'australian_football',
    'gaelic_football',
    'rugby',
    'basketball',
    'netball',
    'volleyball',
    'handball',
    'baseball',
    'softball',
    'cricket',
    'hockey',
    'floorball',
    'lacrosse',
    'hurling',
    'dodgeball',
    'ringette',
    'roundnet',
    'teqball',
    'cheerleading',
    'paintball',
    'laser_tag',
  ],
  soccer: ['futsal'],
  volleyball: ['beach_volleyball'],
  baseball: ['finnish_baseball'],
  hockey: ['ice_hockey', 'field_hockey', 'roller_hockey', 'sled_hockey'],
  disc_sports: ['disc_golf', 'ultimate'],
  combat_sports: ['boxing', 'kickboxing', 'martial_arts', 'wrestling', 'fencing'],
  boxing: ['fitness_boxing'],
  martial_arts: ['judo', 'karate', 'taekwondo', 'jiu_jitsu', 'muay_thai', 'mixed_martial_arts', 'fitness_martial_arts'],
  wrestling: ['sumo'],
  fitness: ['cardio', 'strength_training', 'functional_training', 'group_exercise', 'fitness_gaming'],
  cardio: ['hiit', 'aerobics', 'elliptical', 'stair_climbing', 'jump_rope', 'ski_machine'],
  aerobics: ['step_training', 'aqua_fitness'],
  strength_training: [
    'functional_strength_training',
    'weightlifting',
    'powerlifting',
    'kettlebell_training',
    'core_training',
    'calisthenics',
  ],
  functional_training: ['crossfit', 'circuit_training', 'cross_training', 'bootcamp', 'fitness_racing'],
  mind_and_body: ['yoga', 'pilates', 'barre', 'tai_chi', 'meditation', 'breathwork', 'stretching', 'mobility'],
  dancing: ['ballet', 'ballroom_dancing', 'fitness_dancing', 'modern_dancing', 'street_dancing'],
  gymnastics: ['trampolining', 'parkour'],
  recovery: ['physical_therapy'],
  climbing: ['rock_climbing', 'indoor_climbing', 'bouldering'],
  horseback_riding: ['polo', 'trotting'],
  air_sports: ['paragliding', 'hang_gliding', 'skydiving', 'flying'],
  motor_sports: ['motorcycling', 'motocross', 'car_racing', 'snowmobiling', 'off_road_driving'],
  para_sports: ['wheelchair'],
  wheelchair: ['wheelchair_walking', 'wheelchair_running', 'wheelchair_basketball', 'wheelchair_tennis'],
  chores: ['cleaning', 'cooking', 'gardening'],
} as const;

/** Types that are neither parent nor child. The last one, `other`, is for unknown types. */
const standaloneTypes = [
  'athletics',
  'pentathlon',
  'orienteering',
  'mountaineering',
  'skateboarding',
  'scootering',
  'golf',
  'archery',
  'shooting',
  'bowling',
  'billiards',
  'boules',
  'croquet',
  'fishing',
  'hunting',
  'dog_agility',
  'playing',
  'esports',
  'commuting',
  'manual_labor',
  'other',
] as const;

export type WorkoutType =
  | keyof typeof childTypes
  | (typeof childTypes)[keyof typeof childTypes][number]
  | (typeof standaloneTypes)[number];

/**
 * The daily metric that a workout's distance counts towards. A child type counts as its nearest
 * ancestor in this list.
 */
const distanceMetrics: Partial<Record<WorkoutType, MetricId>> = {
  running: 'running',
  indoor_running: 'indoor_running',
  walking: 'walking',
  hiking: 'walking',
  indoor_walking: 'indoor_walking',
  cycling: 'cycling',
  indoor_cycling: 'indoor_cycling',
  swimming: 'swimming',
};

/** Parents come before their children, and each family is together. */
const parentByType: ReadonlyMap<WorkoutType, WorkoutType | null> = buildTypeTree();

function buildTypeTree(): Map<WorkoutType, WorkoutType | null> {
  const rows: [WorkoutType, readonly WorkoutType[]][] = [];
  let parent: keyof typeof childTypes;
  for (parent in childTypes) rows.push([parent, childTypes[parent]]);
  const childrenOf = new Map(rows);
  const typesWithParent = new Set(rows.flatMap(([, children]) => children));
  const tree = new Map<WorkoutType, WorkoutType | null>();
  const addType = (type: WorkoutType, parentType: WorkoutType | null): void => {
    tree.set(type, parentType);
    for (const child of childrenOf.get(type) ?? []) addType(child, type);
  };
  for (const [type] of rows) if (!typesWithParent.has(type)) addType(type, null);
  for (const type of standaloneTypes) addType(type, null);
  return tree;
}

export const workoutTypes: readonly WorkoutType[] = [...parentByType.keys()];

export const getParentType = (type: WorkoutType): WorkoutType | null => parentByType.get(type) ?? null;

/** Undefined for types whose distance counts towards no metric. */
export function getDistanceMetric(type: WorkoutType): MetricId | undefined {
  for (let current: WorkoutType | null = type; current; current = getParentType(current))
    if (distanceMetrics[current]) return distanceMetrics[current];
  return undefined;
}

/** Every metric that a workout's distance may count towards. */
export const workoutDistanceMetrics: readonly MetricId[] = [...new Set(Object.values(distanceMetrics))];

/** `Trail Running`, `trailRunning`, `TRAIL_RUNNING` and `trail_running` are the same word. */
export const normalizeWord = (word: string): string => word.toLowerCase().replace(/[^a-z0-9]/g, '');

const typesByWord: ReadonlyMap<string, WorkoutType> = new Map(workoutTypes.map((type) => [normalizeWord(type), type]));

/**
 * Finds the type that the word names in the vocabulary, in any spelling that `normalizeWord`
 * accepts.
 */
export const findWorkoutType = (word: string): WorkoutType | undefined => typesByWord.get(normalizeWord(word));
