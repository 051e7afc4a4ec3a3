// Which metrics the on-device providers report. Their descriptors alone say so: no adapter of Daybook
// fills these metrics.
import { expect, test } from 'vitest';
import { type SampleId, sampleIds } from '../../../shared/catalog/metrics.ts';
import { providerIds, type SdkProviderId, sdkProviderIds } from '../../../shared/catalog/provider.ts';
import { providerDescriptors } from '../../../shared/providers/catalog.ts';

/** Everything in the catalog that the provider does not report, in the order of the catalog. */
const unreported: Record<SdkProviderId, SampleId[]> = {
  apple_health: [
    'sleep_latency',
    'sleep_heart_rate_variability',
    'sleep_body_temperature',
    'sleep_skin_temperature',
    'heart_rate_variability_rmssd',
    'skin_temperature',
    'fat_mass',
    'muscle_mass',
    'bone_mass',
    'body_water_percentage',
    'stress_score',
  ],
  health_connect: [
    'stand_time',
    'stand_hours',
    'indoor_walking',
    'indoor_running',
    'indoor_cycling',
    'sleep_latency',
    'sleep_heart_rate',
    'sleep_heart_rate_variability',
    'sleep_respiratory_rate',
    'sleep_blood_oxygen',
    'sleep_body_temperature',
    'sleep_skin_temperature',
    'sleep_wrist_temperature',
    'walking_heart_rate',
    'heart_rate_variability',
    'skin_temperature',
    'fat_mass',
    'muscle_mass',
    'body_water_percentage',
    'body_mass_index',
    'waist_circumference',
    'stress_score',
  ],
  samsung_health: [
    'stand_time',
    'stand_hours',
    'mindfulness',
    'indoor_walking',
    'indoor_running',
    'indoor_cycling',
    'sleep_latency',
    'sleep_heart_rate',
    'sleep_heart_rate_variability',
    'sleep_respiratory_rate',
    'sleep_blood_oxygen',
    'sleep_body_temperature',
    'sleep_skin_temperature',
    'sleep_wrist_temperature',
    'resting_heart_rate',
    'walking_heart_rate',
    'heart_rate_variability',
    'respiratory_rate',
    'body_temperature',
    'vo2_max',
    'lean_body_mass',
    'fat_mass',
    'muscle_mass',
    'bone_mass',
    'body_water_percentage',
    'body_mass_index',
    'height',
    'waist_circumference',
    'resting_energy',
    'total_calories',
    'stress_score',
  ],
};

const listUnreported = (reported: readonly SampleId[]): SampleId[] => sampleIds.filter((id) => !reported.includes(id));

test.each(sdkProviderIds)('%s lists every metric of the catalog but those named here', (provider) => {
  expect(listUnreported(providerDescriptors[provider].metrics)).toEqual(unreported[provider]);
});

test('at least one provider lists each metric of the catalog', () => {
  expect(listUnreported(providerIds.flatMap((id) => providerDescriptors[id].metrics))).toEqual([]);
});
