import { serialize, toPhp } from '../../src/lib/wordpress-text/php-serialize.js';
import { defaultRoles } from '../../src/setup/default-roles.js';
import { loadVectors } from '../support/vectors.js';

it('a new site has the roles of WordPress and of the plugin', () => {
  const { capabilities } = loadVectors<{
    capabilities: { roles_option_serialised_after_plugin_activation: string };
  }>('auth');
  expect(serialize(toPhp(defaultRoles()))).toBe(capabilities.roles_option_serialised_after_plugin_activation);
});
