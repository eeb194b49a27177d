import { declareGroup } from '../support/spec-groups.js';

declareGroup(__filename);
