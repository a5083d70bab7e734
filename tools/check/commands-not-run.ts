const CLUSTER = 'needs the API server of a Kubernetes cluster'
const ENGINE = 'needs a Docker engine, which builds or runs images'
const REGISTRY = 'downloads a large font from the registry of npm; tests run offline'

/** Commands that documents name and that no test can execute, with the reason. */
export const COMMANDS_NOT_RUN: Readonly<Record<string, string>> = {
  'kubectl kustomize "$WORK/secrets" | kubeseal --format yaml > k8s/overlays/production/sealed.yaml':
    'kubeseal encrypts with the key of a controller in a cluster',
  'kubectl apply -f k8s/base/namespace.yaml': CLUSTER,
  'kubectl apply -k "$WORK/secrets"': CLUSTER,
  'kubectl apply -k k8s/overlays/production': CLUSTER,
  'kubectl wait -n platform --for=condition=Ready pod -l app.kubernetes.io/name=nats --timeout=10m': CLUSTER,
  'kubectl wait -n platform --for=condition=Ready cluster/postgres --timeout=15m': CLUSTER,
  'kubectl apply -k k8s/migrate/production': CLUSTER,
  'kubectl wait -n platform --for=condition=complete job -l app.kubernetes.io/component=setup --timeout=15m': CLUSTER,
  'kubectl rollout status -n platform deployment/gateway --timeout=10m': CLUSTER,
  'kubectl rollout restart -n platform statefulset/nats deployment/redis': CLUSTER,
  'kubectl scale -n platform --replicas=2 deployment --selector app.kubernetes.io/part-of=platform': CLUSTER,
  'kubectl delete job -n platform -l app.kubernetes.io/component=setup': CLUSTER,
  'kubectl logs -n platform --since=24h deployment/keeper > "$WORK/keeper.log"': CLUSTER,
  'kubectl create job -n platform stop-line-once --from=cronjob/hl-leg-stop-line': CLUSTER,
  'kubectl logs -n platform -f job/stop-line-once': CLUSTER,
  'kubectl patch configmap -n platform switches --type merge -p \'{"data":{"SVC_LIVE_TRADING_ENABLED":"0"}}\'': CLUSTER,
  'kubectl delete job -n platform --ignore-not-found roles provision migrate-identity migrate-mining migrate-subscriptions migrate-market-data migrate-research-reports migrate-mandates migrate-chain-indexer migrate-keeper migrate-hl-leg migrate-hl-trade migrate-gallery migrate-gateway':
    CLUSTER,
  'kubectl delete scaledobject -n platform --all': CLUSTER,
  "kubectl scale -n platform deployment -l 'app.kubernetes.io/part-of=platform,app.kubernetes.io/name notin (hl-leg,mandates)' --replicas=0":
    CLUSTER,
  "kubectl wait -n platform --for=delete pod -l 'app.kubernetes.io/part-of=platform,!batch.kubernetes.io/job-name,app.kubernetes.io/name notin (hl-leg,mandates)' --timeout=5m":
    CLUSTER,
  "kubectl wait -n platform --for=delete pod -l 'app.kubernetes.io/part-of=platform,!batch.kubernetes.io/job-name' --timeout=5m":
    CLUSTER,
  'kubectl rollout restart -n platform deployment --selector app.kubernetes.io/part-of=platform': CLUSTER,
  'kubectl scale -n platform deployment/hl-leg deployment/mandates --replicas=0': CLUSTER,
  "kubectl get secret -n platform -o go-template='{{range .items}}{{$name := .metadata.name}}{{range .data}}{{$name}} {{. | base64decode}}{{\"\\n\"}}{{end}}{{end}}' | grep -E '^[a-z-]+ postgres(ql)?://' | grep -v '@postgres-restored-rw:' | cut -d ' ' -f 1":
    CLUSTER,
  'kubectl annotate externalsecret -n platform --all force-sync="$(date +%s)" --overwrite': CLUSTER,
  'kubectl apply -k k8s/restore/cluster': CLUSTER,
  'kubectl apply -k k8s/restore/files': CLUSTER,
  'kubectl apply -k k8s/restore/production': CLUSTER,
  'kubectl wait -n platform --for=condition=complete job/restore-files --timeout=30m': CLUSTER,
  'kubectl wait -n platform --for=condition=complete job/after-restore --timeout=15m': CLUSTER,
  'kubectl wait -n platform --for=condition=Ready cluster/postgres-restored --timeout=60m': CLUSTER,
  'kubectl apply -k': CLUSTER,
  'node tools/with-node24.mjs tools/dev/build-images.ts': ENGINE,
  '… build-images.ts': ENGINE,
  '… build-images.ts --registry registry.example.com/ --tag v1.4.0': ENGINE,
  '… build-images.ts --only gateway -- --build-arg NODE_IMAGE=mirror.example.com/node:24.21.0-slim': ENGINE,
  '… main.ts e2e --docker': ENGINE,
  'redis-cli ACL LOAD':
    'runs in the pod of Redis, whose image has redis-cli; tools/dev/redis-rotation.test.ts sends the same command to a server',
  'npm start -- --venues binance,gate,kucoin,upbit,mexc': 'needs the real exchanges',
  'VENUE=testnet VENUE_TESTNET_KEY=0x… npm test -- packages/hyperliquid/test/venue':
    'needs the testnet of the venue and a funded key',
  'npm publish': 'needs an account at a registry',
  'npm run examples': 'is npm test, and writes the recorded examples of this checkout anew from all answers',
  'node tools/with-node24.mjs tools/lab/fonts/main.ts': REGISTRY,
  'node tools/with-node24.mjs tools/web/fonts.ts': REGISTRY,
}
