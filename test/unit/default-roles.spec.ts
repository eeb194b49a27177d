import { defaultRoles } from '../../src/setup/default-roles.js';
import { serialize, toPhp } from '../../src/lib/wordpress-text/php-serialize.js';
import { loadVectors } from '../support/vectors.js';

it('gives a new site the roles that WordPress and the plugin give', () => {
  const { capabilities } = loadVectors<{
    capabilities: { roles_option_serialised_after_plugin_activation: string };
  }>('auth');
  expect(serialize(toPhp(defaultRoles()))).toBe(capabilities.roles_option_serialised_after_plugin_activation);
});
