import { declareLinkedPostWrites } from './support/linked-post-writes.js';
import { describeDatabases } from './support/sites.js';

describeDatabases('writing organizers', (database) => {
  declareLinkedPostWrites(database, {
    plural: 'organizers',
    word: 'organizer',
    prefix: '_Organizer',
    websiteKey: '_OrganizerWebsite',
    linkKey: '_EventOrganizerID',
    texts: ['phone', 'website', 'email'],
  });
});
