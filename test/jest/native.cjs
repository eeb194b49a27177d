/** Has Node itself load a module: packages as they are, sources as they are built. One copy serves all spec files of a worker. */
module.exports = {
  getCacheKey: (_source, path) => path,
  process(_source, path, { config: { rootDir } }) {
    const built = rootDir + path.slice(rootDir.length).replace(/\/src\/(.*)\.ts$/, '/dist/$1.js');
    return { code: `module.exports = requireNatively(${JSON.stringify(built)});` };
  },
};
