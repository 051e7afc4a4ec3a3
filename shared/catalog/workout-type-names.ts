// The display names of workout types, for the API and the console.
import type { WorkoutType } from './workout-types.ts';

const displayNames: Partial<Record<WorkoutType, string>> = {
  bmx: 'BMX',
  crossfit: 'CrossFit',
  cross_country_skiing: 'Cross-country skiing',
  e_biking: 'E-biking',
  e_mountain_biking: 'E-mountain biking',
  hiit: 'High-intensity interval training',
  jiu_jitsu: 'Jiu-jitsu',
  muay_thai: 'Muay Thai',
  off_road_driving: 'Off-road driving',
  stand_up_paddling: 'Stand-up paddling',
};

export function getWorkoutTypeName(type: WorkoutType): string {
  const words = type.replaceAll('_', ' ');
  return displayNames[type] ?? words.charAt(0).toUpperCase() + words.slice(1);
}
