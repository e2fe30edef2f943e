package main

import (
	"fmt"
	"time"

	cluster "github.com/envoyproxy/go-control-plane/envoy/config/cluster/v3"
	core "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	endpoint "github.com/envoyproxy/go-control-plane/envoy/config/endpoint/v3"
	listener "github.com/envoyproxy/go-control-plane/envoy/config/listener/v3"
	route "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	router "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/router/v3"
	hcm "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/http_connection_manager/v3"
	"github.com/envoyproxy/go-control-plane/pkg/cache/types"
	"github.com/envoyproxy/go-control-plane/pkg/cache/v3"
	"github.com/envoyproxy/go-control-plane/pkg/resource/v3"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

// A listener, its routes, and clusters with endpoints. Each cluster has a route, so that clients request all of them.
type mesh struct {
	resources map[resource.Type][]types.Resource
	versions  map[resource.Type]int
	last      int
	// The number of endpoints of each cluster.
	endpoints int
}

func newMesh(count, endpoints int) *mesh {
	m := &mesh{resources: map[resource.Type][]types.Resource{}, versions: map[resource.Type]int{}, endpoints: endpoints}
	m.resources[resource.ListenerType] = []types.Resource{newListener()}
	m.resources[resource.RouteType] = []types.Resource{newRoutes(count)}
	for i := range count {
		m.resources[resource.ClusterType] = append(m.resources[resource.ClusterType], newCluster(i, 0))
		m.resources[resource.EndpointType] = append(m.resources[resource.EndpointType], m.newAssignment(i, 0))
	}
	return m
}

// Changes one resource of the type, a different one each time.
func (m *mesh) change(url resource.Type) {
	m.last++
	all := m.resources[url]
	at := m.last % len(all)
	if url == resource.ClusterType {
		all[at] = newCluster(at, m.last)
	} else {
		all[at] = m.newAssignment(at, m.last)
	}
	m.versions[url] = m.last
}

// Makes one cluster invalid for gRPC.
func (m *mesh) spoil() {
	bad := newCluster(0, 0)
	bad.ClusterDiscoveryType = &cluster.Cluster_Type{Type: cluster.Cluster_STATIC}
	m.resources[resource.ClusterType][0] = bad
	m.last++
	m.versions[resource.ClusterType] = m.last
}

// Each type has its own version, so that a change of one type does not resend the others.
func (m *mesh) snapshot() *cache.Snapshot {
	snapshot := &cache.Snapshot{}
	for url, all := range m.resources {
		snapshot.Resources[cache.GetResponseType(url)] = cache.NewResources(fmt.Sprint(m.versions[url]), all)
	}
	return snapshot
}

func packed(message proto.Message) *anypb.Any {
	made, err := anypb.New(message)
	if err != nil {
		panic(err)
	}
	return made
}

func ads() *core.ConfigSource {
	return &core.ConfigSource{
		ConfigSourceSpecifier: &core.ConfigSource_Ads{Ads: &core.AggregatedConfigSource{}},
		ResourceApiVersion:    core.ApiVersion_V3,
	}
}

func newListener() *listener.Listener {
	manager := &hcm.HttpConnectionManager{
		RouteSpecifier: &hcm.HttpConnectionManager_Rds{Rds: &hcm.Rds{RouteConfigName: "routes", ConfigSource: ads()}},
		HttpFilters: []*hcm.HttpFilter{{
			Name: "router", ConfigType: &hcm.HttpFilter_TypedConfig{TypedConfig: packed(&router.Router{})},
		}},
	}
	return &listener.Listener{Name: "bench", ApiListener: &listener.ApiListener{ApiListener: packed(manager)}}
}

func newRoutes(count int) *route.RouteConfiguration {
	host := &route.VirtualHost{Name: "all", Domains: []string{"*"}}
	for i := range count {
		host.Routes = append(host.Routes, &route.Route{
			Match: &route.RouteMatch{PathSpecifier: &route.RouteMatch_Prefix{Prefix: fmt.Sprintf("/package.Service%d/", i)}},
			Action: &route.Route_Route{Route: &route.RouteAction{
				ClusterSpecifier: &route.RouteAction_Cluster{Cluster: clusterName(i)},
			}},
		})
	}
	return &route.RouteConfiguration{Name: "routes", VirtualHosts: []*route.VirtualHost{host}}
}

func clusterName(i int) string { return fmt.Sprintf("cluster-%d", i) }

// A cluster whose revision is in a field that every client reads.
func newCluster(i, revision int) *cluster.Cluster {
	return &cluster.Cluster{
		Name:                 clusterName(i),
		ClusterDiscoveryType: &cluster.Cluster_Type{Type: cluster.Cluster_EDS},
		EdsClusterConfig:     &cluster.Cluster_EdsClusterConfig{EdsConfig: ads()},
		ConnectTimeout:       durationpb.New(10 * time.Second),
		CircuitBreakers: &cluster.CircuitBreakers{
			Thresholds: []*cluster.CircuitBreakers_Thresholds{{MaxRequests: wrapperspb.UInt32(uint32(1024 + revision))}},
		},
	}
}

// The endpoints are draining: clients read and cache them, but channels do not connect to them. Connections are not part
// of the benchmark, and would add to the cost of the clients that open them.
func (m *mesh) newAssignment(i, revision int) *endpoint.ClusterLoadAssignment {
	locality := &endpoint.LocalityLbEndpoints{
		Locality:            &core.Locality{Region: "eu", Zone: "a"},
		LoadBalancingWeight: wrapperspb.UInt32(uint32(1 + revision)),
	}
	for j := range m.endpoints {
		at := &core.Address{Address: &core.Address_SocketAddress{SocketAddress: &core.SocketAddress{
			Address:       address(i*m.endpoints + j),
			PortSpecifier: &core.SocketAddress_PortValue{PortValue: 8080},
		}}}
		locality.LbEndpoints = append(locality.LbEndpoints, &endpoint.LbEndpoint{
			HostIdentifier: &endpoint.LbEndpoint_Endpoint{Endpoint: &endpoint.Endpoint{Address: at}},
			HealthStatus:   core.HealthStatus_DRAINING,
		})
	}
	return &endpoint.ClusterLoadAssignment{
		ClusterName: clusterName(i), Endpoints: []*endpoint.LocalityLbEndpoints{locality},
	}
}

// The address of the nth endpoint of the mesh: all are different, up to 16 million.
func address(n int) string { return fmt.Sprintf("127.%d.%d.%d", n>>16&255, n>>8&255, n&255) }
