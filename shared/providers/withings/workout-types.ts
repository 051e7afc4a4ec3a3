// Withings' workout categories.
import { createCodeLookup } from '../kit/workout-type-lookup.ts';

export const poolCategory = 7;

export const withingsWorkoutType = createCodeLookup(`
walking: 1 542 543 558 563
running: 2
hiking: 3
skating: 4
bmx: 5
cycling: 6 528
swimming: ${poolCategory}
surfing: 8
kitesurfing: 9
windsurfing: 10
bodyboarding: 11
tennis: 12
table_tennis: 13
squash: 14
badminton: 15
strength_training: 16 540
fitness: 17
elliptical: 18
pilates: 19
basketball: 20
soccer: 21
american_football: 22
rugby: 23
volleyball: 24
water_polo: 25
horseback_riding: 26
golf: 27
yoga: 28
dancing: 29 549
boxing: 30
fencing: 31
wrestling: 32
martial_arts: 33
downhill_skiing: 34
snowboarding: 35
other: 36 128 539 555
rowing: 187
fitness_dancing: 188
baseball: 191 503
handball: 192
hockey: 193
ice_hockey: 194
climbing: 195
ice_skating: 196
multisport: 272
indoor_walking: 306
indoor_running: 307
indoor_cycling: 308 547
stand_up_paddling: 455
padel: 456
esports: 457
beach_volleyball: 490
stair_climbing: 491
skateboarding: 492
parkour: 493
kayaking: 494
canoeing: 495
sailing: 496
fishing: 497
trail_running: 498
snowshoeing: 499
paintball: 500
archery: 501
scuba_diving: 502
biathlon: 504
boules: 505 506
paragliding: 507
disc_sports: 508
skydiving: 509
pickleball: 510
playing: 511
dodgeball: 512
ultimate: 513
teqball: 514
wheelchair_running: 515
wheelchair_walking: 516
athletics: 517
track_cycling: 518
pentathlon: 519
shooting: 520
triathlon: 521
diving: 522
mountain_biking: 523
gravel_cycling: 524
e_biking: 525
e_mountain_biking: 526
handcycling: 527
ski_touring: 529
cross_country_skiing: 530
roller_skiing: 531
racquetball: 532
street_dancing: 534 544
muay_thai: 535
taekwondo: 536
judo: 537
trampolining: 538
cardio: 541
chores: 545
crossfit: 546
cricket: 548
hiit: 550
meditation: 551
stretching: 552
gardening: 553
cleaning: 554
roundnet: 556
lacrosse: 557
dog_walking: 559
breathwork: 560
mobility: 561
stroller_walking: 562
bowling: 564
laser_tag: 565
nordic_walking: 566
sumo: 567
cooking: 568
`);
