FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/client packages/client
RUN npm ci --no-audit --no-fund
COPY tsconfig.json ./
COPY src src
COPY web web
COPY scripts/build.mjs scripts/build-web.mjs scripts/
RUN npm run build && npm prune --omit=dev

FROM node:24-slim
ENV NODE_ENV=production
# The demo, too, is to be reached from outside of its container.
ENV HOST=0.0.0.0
WORKDIR /app
# What the server writes to disk: the embedded demo calendar, and images where UPLOADS_DIR names the second.
RUN mkdir data uploads && chown node:node data uploads
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY --from=build /app/web/dist web/dist
COPY bin bin
COPY package.json LICENSE ./
COPY scripts/health-check.mjs scripts/
USER node
EXPOSE 3000
HEALTHCHECK --interval=15s --timeout=6s --start-period=20s CMD ["node", "scripts/health-check.mjs"]
CMD ["node", "--max-semi-space-size=12", "--v8-pool-size=1", "dist/main.js"]
