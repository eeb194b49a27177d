import { declareLinkedPostWrites } from './support/linked-post-writes.js';
import { describeDatabases } from './support/sites.js';

describeDatabases('writing venues', (database) => {
  declareLinkedPostWrites(database, {
    plural: 'venues',
    word: 'venue',
    prefix: '_Venue',
    websiteKey: '_VenueURL',
    linkKey: '_EventVenueID',
    texts: ['address', 'city', 'country', 'province', 'state', 'zip', 'phone', 'website', 'stateprovince'],
  });
});
