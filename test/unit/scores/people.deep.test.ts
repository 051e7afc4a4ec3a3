import { testPeople } from './people-years.ts';

testPeople(1);
