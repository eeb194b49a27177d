/** Loads a module by Node: packages unchanged, sources from the build; all spec files of a worker share one copy. */
module.exports = {
  getCacheKey: (_source, path) => path,
  process(_source, path, { config: { rootDir } }) {
    const built = rootDir + path.slice(rootDir.length).replace(/\/src\/(.*)\.ts$/, '/dist/$1.js');
    return { code: `module.exports = requireNatively(${JSON.stringify(built)});` };
  },
};
