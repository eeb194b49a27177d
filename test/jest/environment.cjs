const { createRequire } = require('node:module');
const vm = require('node:vm');
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

// jest compiles modules into the context of an environment. Node's own context has no object that stands for it: here globalThis does.
const { compileFunction } = vm;
vm.compileFunction = (source, parameters, options) => {
  const parsingContext = options?.parsingContext === globalThis ? undefined : options?.parsingContext;
  return compileFunction(source, parameters, { ...options, parsingContext });
};

/** Process events that packages subscribe to. */
const EVENTS = [
  ...['SIGTERM', 'SIGINT', 'SIGHUP'].map((signal) => [process, signal]),
  ...[process.stdout, process.stderr].map((stream) => [stream, 'error']),
];

/**
 * Runs a spec file in Node's own context, which it shares with the modules that Node loads (native.cjs), and restores the
 * process state after it.
 */
module.exports = class NativeEnvironment {
  constructor({ projectConfig }) {
    this.global = globalThis;
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimers = null;
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    this.console = console;
    this.env = { ...process.env };
    this.exit = process.exit;
    this.getBuiltinModule = process.getBuiltinModule;
    this.listeners = EVENTS.map(([emitter, name]) => emitter.listeners(name));
    globalThis.requireNatively = (path) => createRequire(path)(path);
  }

  async setup() {
    // The runtime has replaced it for specs; packages need Node's.
    process.getBuiltinModule = this.getBuiltinModule;
  }

  async teardown() {
    this.fakeTimersModern.dispose();
    this.moduleMocker.restoreAllMocks();
    globalThis.console = this.console;
    process.exit = this.exit;
    for (const name of Object.keys(process.env)) if (!(name in this.env)) delete process.env[name];
    Object.assign(process.env, this.env);
    for (const [at, [emitter, name]] of EVENTS.entries())
      for (const listener of emitter.listeners(name))
        if (!this.listeners[at].includes(listener)) emitter.off(name, listener);
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return globalThis;
  }
};
