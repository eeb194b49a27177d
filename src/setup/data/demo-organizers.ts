/** An organizer of the demo calendar. */
export interface DemoOrganizer {
  organizer: string;
  description?: string;
  phone?: string;
  website?: string;
  email?: string;
}

/** Organizers by their keys in the demo's events. */
export const DEMO_ORGANIZERS = {
  house: {
    organizer: 'Kastanienhof Programme Office',
    description: 'We open the house to whoever has something to show. Write to us at least six weeks ahead.',
    phone: '+49 30 5550 1185',
    website: 'https://kastanienhof.example.org/programme',
    email: 'programme@kastanienhof.example.org',
  },
  readers: {
    organizer: 'Friends of the City Library',
    description: '<p>About 400 members, one bookshop, no budget.</p>',
    website: 'https://library.example.org/friends',
    email: 'friends@library.example.org',
  },
  growers: {
    organizer: "Lindenplatz Growers' Cooperative",
    phone: '+49 30 5550 1101',
    email: 'market@lindenplatz.example.org',
  },
  cellar: {
    organizer: 'Blue Cellar Collective',
    website: 'https://bluecellar.example.org/',
    email: 'booking@bluecellar.example.org',
  },
  film: {
    organizer: 'Morgenstern Film Club',
    description: 'Films that were not made for telephones, shown the way they were meant to be.',
    website: 'https://morgenstern.example.org/club',
    email: 'club@morgenstern.example.org',
  },
  makers: {
    organizer: 'Open Maker Guild',
    website: 'https://makers.example.org/',
    email: 'hello@makers.example.org',
  },
  anna: {
    organizer: 'Anna Lindqvist',
    description: 'Choir leader and voice coach; sings alto when nobody else does.',
    phone: '+49 170 555 0142',
  },
  conferences: {
    organizer: 'River & Harbour Conference Office',
    phone: '+49 40 5550 1300',
    website: 'https://conferences.example.org/',
    email: 'desk@conferences.example.org',
  },
} as const satisfies Record<string, DemoOrganizer>;
