import { isSupported, productOf } from '../../src/cli/doctor/server.check.js';

describe('versions of database servers', () => {
  it.each([
    ['10.11.6-MariaDB-0+deb12u1', 'MariaDB', '10.11.6', true],
    ['5.5.5-10.6.12-MariaDB', 'MariaDB', '10.6.12', true],
    ['10.5.23-MariaDB', 'MariaDB', '10.5.23', false],
    ['11.4.2-MariaDB-log', 'MariaDB', '11.4.2', true],
    ['8.0.36', 'MySQL', '8.0.36', true],
    ['9.1.0', 'MySQL', '9.1.0', true],
    ['5.7.44-log', 'MySQL', '5.7.44', false],
  ])('are checked: %s', (version, product, number, supported) => {
    expect(productOf(version)).toEqual({ product, number });
    expect(isSupported(version)).toBe(supported);
  });
});
