import { testPeople } from './people-years.ts';

testPeople(0.08);
