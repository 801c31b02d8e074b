#include "compiler/flyte/type_table.h"

namespace gpulint::flyte {

// Configuration structs of Flyte v1.16.8 and Flyte 2 (August 2026), fields by their JSON names.
std::string_view flyte_types_text() {
  return R"(
TaskResourceConfig defaults=TaskResourceSet limits=TaskResourceSet
TaskResourceSet cpu=quantity gpu=quantity memory=quantity ephemeralStorage=quantity
K8sPluginConfig inject-finalizer=bool default-annotations=map:string default-labels=map:string
  default-env-vars=map:string default-env-vars-from-env=map:string
  default-env-from-configmaps=[]string default-env-from-secrets=[]string default-cpus=quantity
  default-memory=quantity default-tolerations=[]Toleration default-node-selector=map:string
  default-affinity?=*Affinity scheduler-name=string interruptible-tolerations=[]Toleration
  interruptible-node-selector=map:string
  interruptible-node-selector-requirement=*NodeSelectorRequirement
  non-interruptible-node-selector-requirement=*NodeSelectorRequirement
  resource-tolerations=map:[]Toleration co-pilot=FlyteCoPilotConfig
  delete-resource-on-finalize=bool create-container-error-grace-period=duration
  create-container-config-error-grace-period=duration image-pull-backoff-grace-period=duration
  image-pull-policy=string pod-pending-timeout=duration gpu-device-node-label=string
  gpu-partition-size-node-label=string
  gpu-unpartitioned-node-selector-requirement=*NodeSelectorRequirement
  gpu-unpartitioned-toleration=*Toleration gpu-resource-name=string
  accelerator-devices@2=map:string accelerator-device-classes@2=map:AcceleratorDeviceClassConfig
  default-pod-security-context=*PodSecurityContext default-security-context=*SecurityContext
  enable-host-networking-pod=*bool default-pod-dns-config=*PodDNSConfig
  default-pod-template-name=string default-pod-template-resync=duration send-object-events=bool
  update-base-backoff-duration=int update-backoff-retries=int
  add-tolerations-for-extended-resources=[]string enable-distributed-error-aggregation@1=bool
  disable-inject-owner-references@2=bool
FlyteCoPilotConfig name=string image=string default-input-path=string default-output-path=string
  input-vol-name=string output-vol-name=string start-timeout=duration timeout=duration cpu=string
  memory=string storage=string storage-config-override@2=*StorageConfig
  storage-config-secret-name@2=string
AcceleratorDeviceClassConfig resource-name=string device-node-label=string
  partition-size-node-label=string
  unpartitioned-node-selector-requirement=*NodeSelectorRequirement
  unpartitioned-toleration=*Toleration pod-template=*PodTemplate
LogConfig cloudwatch-enabled=bool cloudwatch-region=string cloudwatch-log-group=string
  cloudwatch-template-uri=string kubernetes-enabled=bool kubernetes-url=string
  kubernetes-template-uri=string stackdriver-enabled=bool gcp-project=string
  stackdriver-logresourcename=string stackdriver-template-uri=string
  dynamic-log-links=map:TemplateLogPlugin templates=[]TemplateLogPlugin azure-log-templates=any
TemplateLogPlugin name=string displayName=string templateUris=[]string
  dynamicTemplateUris=[]string messageFormat=int32 scheme=any showWhilePending=bool
  hideOnceFinished=bool
StorageConfig type=string connection=ConnectionConfig stow?=StowConfig container=string
  enable-multicontainer=bool cache=CachingConfig limits=LimitsConfig
  defaultHttpClient=HTTPClientConfig signedUrl=SignedURLConfig
ConnectionConfig endpoint=any auth-type=string access-key=string secret-key=string region=string
  disable-ssl=bool
StowConfig kind?=string config?=map:string
CachingConfig max_size_mbs=int target_gc_percent=int
LimitsConfig maxDownloadMBs=int64
HTTPClientConfig headers=map:[]string timeout=duration
SignedURLConfig stowConfigOverride?=map:string
)";
}

}  // namespace gpulint::flyte
