import { declareClusterOfWriters } from '../suites/cluster-of-writers.js';
import { galeraMissing, startGalera } from '../support/galera.js';

(galeraMissing() ? describe.skip : describe)('Galera, a cluster whose three nodes all take writes', () => {
  declareClusterOfWriters(startGalera);
});
