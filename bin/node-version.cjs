// Ends the process with one sentence on a Node that Almanac can not run on. Runs before anything else is loaded and is
// written for the oldest of them: no arrows, no const, no modules.
var engines = require('../package.json').engines;

/** Whether a version such as `20.19.0` lies in a range such as `^20.19.0 || >=24`, as packages write it into `engines`. */
function isInRange(version, range) {
  var given = numbers(version);
  function holds(part) {
    var least = numbers(part);
    var newer = given[0] - least[0] || given[1] - least[1] || given[2] - least[2];
    return newer >= 0 && (given[0] === least[0] || part.indexOf('>') >= 0);
  }
  return range.split('||').some(holds);
}

function numbers(text) {
  return text.match(/\d+/g).concat(0, 0).slice(0, 3).map(Number);
}

exports.isInRange = isInRange;

var here = process.versions.node;
if (!isInRange(here, engines.node)) {
  console.error('Almanac needs Node ' + engines.node + '; this is Node ' + here + ': install Node 24.');
  process.exit(1);
}
