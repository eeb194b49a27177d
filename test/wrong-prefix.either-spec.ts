import { DataSource } from 'typeorm';
import { doctor } from '../src/cli/doctor.js';
import { withSite } from '../src/cli/site-application.js';
import { verify } from '../src/cli/verify/verify.js';
import { readEnvironment } from '../src/config/read-environment.js';
import { oldServer } from './support/old-server.js';
import { describeEither, makeSite, type Site } from './support/sites.js';
