// A control plane on go-control-plane that executes the commands on its standard input; see
// test/interop/support/plane.ts. With the argument "ads" its snapshot cache has ads=true.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"math"
	"net"
	"os"
	"runtime/debug"
	"slices"
	"sync/atomic"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	cluster "github.com/envoyproxy/go-control-plane/envoy/config/cluster/v3"
	core "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	endpoint "github.com/envoyproxy/go-control-plane/envoy/config/endpoint/v3"
	listener "github.com/envoyproxy/go-control-plane/envoy/config/listener/v3"
	route "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	discovery "github.com/envoyproxy/go-control-plane/envoy/service/discovery/v3"
	"github.com/envoyproxy/go-control-plane/pkg/cache/types"
	"github.com/envoyproxy/go-control-plane/pkg/cache/v3"
	"github.com/envoyproxy/go-control-plane/pkg/resource/v3"
	"github.com/envoyproxy/go-control-plane/pkg/server/v3"
)

// The served resources of one type, as encoded messages.
type state struct {
	Version   string
	Resources [][]byte
}

type command struct {
	Op   string
	Node string
	// By short names: LDS, RDS, CDS, EDS.
	Types map[string]state
}

type report struct {
	Port      int   `json:"port"`
	Requests  int64 `json:"requests"`
	Nacks     int64 `json:"nacks"`
	Responses int64 `json:"responses"`
	Streams   int64 `json:"streams"`
	Open      int64 `json:"open"`
}

type resourceType struct {
	url   string
	index types.ResponseType
	fresh func() types.Resource
}

var resourceTypes = map[string]resourceType{
	"LDS": {resource.ListenerType, types.Listener, func() types.Resource { return &listener.Listener{} }},
	"RDS": {resource.RouteType, types.Route, func() types.Resource { return &route.RouteConfiguration{} }},
	"CDS": {resource.ClusterType, types.Cluster, func() types.Resource { return &cluster.Cluster{} }},
	"EDS": {resource.EndpointType, types.Endpoint, func() types.Resource { return &endpoint.ClusterLoadAssignment{} }},
}

type plane struct {
	cache  cache.SnapshotCache
	xds    server.Server
	grpc   *grpc.Server
	port   int
	counts struct{ requests, nacks, responses, streams, open atomic.Int64 }
}

func newPlane(ads bool) *plane {
	p := &plane{cache: cache.NewSnapshotCache(ads, cache.IDHash{}, nil)}
	p.xds = server.NewServer(context.Background(), p.cache, server.CallbackFuncs{
		StreamOpenFunc: func(context.Context, int64, string) error {
			p.counts.streams.Add(1)
			p.counts.open.Add(1)
			return nil
		},
		StreamClosedFunc: func(int64, *core.Node) { p.counts.open.Add(-1) },
		StreamRequestFunc: func(_ int64, request *discovery.DiscoveryRequest) error {
			p.counts.requests.Add(1)
			if request.GetErrorDetail() != nil {
				p.counts.nacks.Add(1)
			}
			return nil
		},
		StreamResponseFunc: func(context.Context, int64, *discovery.DiscoveryRequest, *discovery.DiscoveryResponse) {
			p.counts.responses.Add(1)
		},
	})
	return p
}

// The port is the same after a restart.
func (p *plane) start() error {
	socket, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", p.port))
	if err != nil {
		return err
	}
	p.port = socket.Addr().(*net.TCPAddr).Port
	p.grpc = grpc.NewServer(grpc.MaxSendMsgSize(math.MaxInt32))
	discovery.RegisterAggregatedDiscoveryServiceServer(p.grpc, p.xds)
	go p.grpc.Serve(socket)
	return nil
}

func (p *plane) set(node string, states map[string]state) error {
	snapshot := &cache.Snapshot{}
	for name, state := range states {
		known, ok := resourceTypes[name]
		if !ok {
			return fmt.Errorf("no type %s", name)
		}
		resources := []types.Resource{}
		for _, bytes := range state.Resources {
			message := known.fresh()
			if err := proto.Unmarshal(bytes, message); err != nil {
				return err
			}
			resources = append(resources, message)
		}
		snapshot.Resources[known.index] = cache.NewResources(state.Version, resources)
	}
	return p.cache.SetSnapshot(context.Background(), node, snapshot)
}

func (p *plane) execute(c command) error {
	switch c.Op {
	case "set":
		return p.set(c.Node, c.Types)
	case "clear":
		p.cache.ClearSnapshot(c.Node)
	case "stop":
		p.grpc.Stop()
	case "start":
		return p.start()
	}
	return nil
}

func (p *plane) report() report {
	return report{
		Port: p.port, Requests: p.counts.requests.Load(), Nacks: p.counts.nacks.Load(),
		Responses: p.counts.responses.Load(), Streams: p.counts.streams.Load(), Open: p.counts.open.Load(),
	}
}

func version() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, module := range info.Deps {
			if module.Path == "github.com/envoyproxy/go-control-plane" {
				return "go-control-plane " + module.Version
			}
		}
	}
	return "go-control-plane"
}

func main() {
	p := newPlane(slices.Contains(os.Args[1:], "ads"))
	if err := p.start(); err != nil {
		log.Fatal(err)
	}
	out := json.NewEncoder(os.Stdout)
	out.Encode(map[string]any{"port": p.port, "version": version()})
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, math.MaxInt32)
	for in.Scan() {
		var c command
		if err := json.Unmarshal(in.Bytes(), &c); err != nil {
			log.Fatal(err)
		}
		if err := p.execute(c); err != nil {
			log.Fatal(err)
		}
		out.Encode(p.report())
	}
}
