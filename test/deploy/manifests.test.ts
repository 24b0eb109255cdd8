// Guarantees of the manifests, the image and the unit: no privileges, a read-only root, probes that
// exist, a configuration that the service accepts, and enough time to stop.
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { checkBinding } from '../../src/config/binding.ts';
import { loadConfig } from '../../src/config/load.ts';

/** From SIGTERM to the end of the process, as documented in deploy/README.md. */
const STOP_SECONDS = 15;

// biome-ignore lint/suspicious/noExplicitAny: manifests of many kinds
type Manifest = any;

function read(path: string): readonly Manifest[] {
  return parseAllDocuments(readFileSync(path, 'utf8')).map((document) => document.toJS());
}

const manifests = read('deploy/kubernetes/quarry.yaml');
const kind = (name: string): Manifest => manifests.find((one) => one.kind === name);
const pod = kind('StatefulSet').spec.template.spec;
const [container] = pod.containers;
const config = loadConfig({
  flags: {},
  environment: {},
  file: { path: 'quarry.yaml', text: kind('ConfigMap').data['quarry.yaml'] },
}).config;

describe('the manifest of cluster mode', () => {
  const parts = read('deploy/kubernetes/cluster-mode.yaml');
  const of = (name: string): Manifest => parts.find((one) => one.kind === name);

  test('has replicas without a folder of their own, and a configuration that is accepted', () => {
    const { replicas, template } = of('Deployment').spec;
    expect(replicas).toBeGreaterThan(1);
    const [inside] = template.spec.containers;
    expect(inside.securityContext.readOnlyRootFilesystem).toBe(true);
    expect(
      template.spec.volumes.every((volume: Manifest) => volume.secret ?? volume.configMap),
    ).toBe(true);
    const text = of('ConfigMap').data['quarry.yaml'];
    const file = { path: 'quarry.yaml', text };
    expect(loadConfig({ flags: {}, environment: {}, file }).config['cluster.enabled']).toBe(true);
  });
});

describe('the manifests', () => {
  test('are everything that one node needs', () => {
    expect(manifests.map((one) => one.kind).sort()).toEqual([
      'ConfigMap',
      'NetworkPolicy',
      'PodDisruptionBudget',
      'Service',
      'Service',
      'ServiceAccount',
      'StatefulSet',
    ]);
    const operator = read('deploy/kubernetes/monitoring.yaml').map((one) => one.kind);
    expect(operator.sort()).toEqual(['PrometheusRule', 'ServiceMonitor']);
  });

  test('give the pod no rights', () => {
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: 10001,
        seccompProfile: { type: 'RuntimeDefault' },
      },
    });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(container.resources.limits.memory).toBeDefined();
    expect(container.resources.requests).toMatchObject({ cpu: '1' });
  });

  test('configure the service so that it starts, and asks for keys', () => {
    expect(config['auth.enabled']).toBe(true);
    expect(config['server.insecure']).toBe(false);
    // Encryption is left to a mesh, a proxy or tls.secretName: it is off by default, and every
    // start prints a warning.
    expect(checkBinding(config)).toContain('without TLS');
    const mounts = container.volumeMounts.map((mount: Manifest) => mount.mountPath);
    expect(mounts).toContain(config.data_dir);
    expect(container.ports).toEqual([
      { name: 'http', containerPort: config['server.port'], protocol: 'TCP' },
    ]);
    expect(container.args).toEqual(['serve', '--config', '/etc/quarry/quarry.yaml']);
  });

  test('probe what is open, and stop after the balancers have seen it', () => {
    const paths = ['startupProbe', 'livenessProbe', 'readinessProbe'].map(
      (name) => container[name].httpGet.path,
    );
    expect(paths).toEqual(['/v1/health', '/v1/health', '/v1/health/ready']);
    const { periodSeconds, failureThreshold } = container.readinessProbe;
    expect(config['shutdown.grace_ms']).toBeGreaterThanOrEqual(
      periodSeconds * failureThreshold * 1000,
    );
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(STOP_SECONDS);
  });

  test('select the pod', () => {
    const { labels } = kind('StatefulSet').spec.template.metadata;
    const selectors = [
      kind('StatefulSet').spec.selector.matchLabels,
      kind('PodDisruptionBudget').spec.selector.matchLabels,
      kind('NetworkPolicy').spec.podSelector.matchLabels,
      ...manifests.filter((one) => one.kind === 'Service').map((one) => one.spec.selector),
    ];
    for (const selector of selectors) {
      expect(Object.keys(selector).length).toBeGreaterThan(0);
      expect(labels).toMatchObject(selector);
    }
    expect(kind('NetworkPolicy').spec.policyTypes).toEqual(['Ingress', 'Egress']);
  });
});

describe('the image', () => {
  const lines = readFileSync('deploy/Dockerfile', 'utf8').split('\n');
  const last = lines.findLastIndex((line) => line.startsWith('FROM '));
  const environment = Object.fromEntries(
    [
      ...lines
        .slice(last)
        .join('\n')
        .matchAll(/(QUARRY_\w+)=(\S+)/g),
    ].map(([, name = '', value = '']) => [name, value]),
  );
  test('runs as a user without rights, looks after itself and asks for keys', () => {
    const final = lines.slice(last);
    expect(last).toBeGreaterThan(lines.findIndex((line) => line.startsWith('FROM ')));
    expect(final).toContain('USER 10001:10001');
    expect(final.some((line) => line.startsWith('HEALTHCHECK '))).toBe(true);
    const image = loadConfig({ flags: {}, environment }).config;
    expect(image['auth.enabled']).toBe(true);
    expect(checkBinding(image)).toContain('without TLS');
    expect(final).toContain(`VOLUME ${image.data_dir}`);
  });

  test('is made of what is there', () => {
    const allowed = readFileSync('deploy/Dockerfile.dockerignore', 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1));
    expect(allowed.filter((path) => !existsSync(path))).toEqual([]);
    const { install } = JSON.parse(readFileSync('package.json', 'utf8')).scripts;
    expect(install).toContain('build:native');
  });
});

describe('the unit', () => {
  const unit = readFileSync('deploy/systemd/quarry.service', 'utf8');
  const value = (name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? '';

  test('runs as a user without rights, with time enough to stop', () => {
    expect(value('User')).toBe('quarry');
    expect(value('NoNewPrivileges')).toBe('yes');
    expect(value('ProtectSystem')).toBe('strict');
    expect(value('CapabilityBoundingSet')).toBe('');
    expect(Number(value('TimeoutStopSec'))).toBeGreaterThan(STOP_SECONDS);
    expect(value('ExecReload')).toContain('-HUP');
    const environment = Object.fromEntries(
      value('Environment')
        .split(' ')
        .filter((pair) => pair.startsWith('QUARRY_'))
        .map((pair) => pair.split('=')),
    );
    expect(loadConfig({ flags: {}, environment }).config.data_dir).toBe(
      `/var/lib/${value('StateDirectory')}`,
    );
  });
});
